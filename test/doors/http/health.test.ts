import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { serveBare } from '../../support/bare-app.ts';
import { cuttableDatabase } from '../../support/cuttable-database.ts';
import { testDatabase } from '../../support/database.ts';

const { env } = await testDatabase('empty');
const { db, proxy } = await cuttableDatabase(env);
const port = await serveBare({ db }, '');

const health = async () => {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`);
  return { status: response.status, body: await response.json() };
};

describe('/healthz', () => {
  it('returns degraded only while the database is unreachable', async () => {
    expect(await health()).toEqual({ status: 200, body: { status: 'ok' } });
    await proxy.cut();
    expect(await health()).toEqual({ status: 503, body: { status: 'degraded' } });
    expect(await health()).toEqual({ status: 503, body: { status: 'degraded' } });
    await proxy.mend();
    await expect.poll(health).toEqual({ status: 200, body: { status: 'ok' } });
  });
});

describe('a query whose connection breaks', () => {
  it('fails with a ServiceError, and the next query succeeds', async () => {
    const broken = db.query('select pg_sleep(1)').catch((error: unknown) => error);
    await delay(200);
    await proxy.cut();
    expect(await broken).toMatchObject({
      status: 503,
      message: expect.stringMatching(/database can’t be reached/),
    });
    await proxy.mend();
    await expect.poll(() => db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});
