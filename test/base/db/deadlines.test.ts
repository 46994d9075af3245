import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { createOrganization } from '../../../src/people/account/organizations.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { serviceDeadlines } from '../../../src/base/db/deadlines.ts';
import { cuttableDatabase } from '../../support/cuttable-database.ts';
import { testDatabase } from '../../support/database.ts';

const { db: patient, env } = await testDatabase('empty');
const onServer = inject('testServer') !== undefined;
const TIMEOUT_MS = 1_200;
const reported: Error[] = [];
const { db, proxy } = await cuttableDatabase(env, {
  deadlines: serviceDeadlines(TIMEOUT_MS),
  report: (problem) => reported.push(problem),
});
const closed = await cuttableDatabase(env);

const queryOne = (sql = 'select 1 as one') => db.query(sql);
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
const CANNOT_REACH = { status: 503, message: expect.stringMatching(/can’t be reached/) };
const TOO_LATE = { status: 503, message: expect.stringMatching(/took too long.*ask for less/) };
async function msOf(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work.catch(() => {});
  return performance.now() - start;
}

describe('a silent database', () => {
  it('fails a statement at its deadline, and answers the next one on another connection', async () => {
    await queryOne();
    proxy.halfOpen();
    expect(await failureOf(queryOne(`select 'late' as one`))).toMatchObject(TOO_LATE);
    await proxy.mend();
    await expect.poll(() => queryOne()).toEqual([{ one: 1 }]);
  });

  it('fails a transaction at its deadline, and changes nothing', async () => {
    await patient.query('create table if not exists silent_marks (mark int)');
    const failing = db.transaction(async (tx) => {
      await tx.query('insert into silent_marks values (1)');
      proxy.blackHole();
      await tx.query('insert into silent_marks values (2)');
    });
    expect(await failureOf(failing)).toMatchObject(TOO_LATE);
    expect(await failureOf(queryOne())).toMatchObject(CANNOT_REACH);
    await proxy.mend();
    await expect.poll(() => queryOne()).toEqual([{ one: 1 }]);
    expect(await patient.query('select * from silent_marks')).toEqual([]);
    await patient.query('drop table silent_marks');
  });

  it('delays many statements no longer than one', async () => {
    proxy.blackHole();
    const ms = await Promise.all(Array.from({ length: 30 }, () => msOf(queryOne())));
    await proxy.mend();
    expect(Math.max(...ms)).toBeLessThan(TIMEOUT_MS * 2);
    await expect.poll(() => queryOne()).toEqual([{ one: 1 }]);
  });

  it('fails no request if the connections died while they were idle', async () => {
    await Promise.all(Array.from({ length: 4 }, () => queryOne()));
    await delay(1_100);
    proxy.kill();
    const answers = await Promise.all(Array.from({ length: 8 }, () => queryOne()));
    expect(answers.flat()).toEqual(answers.map(() => ({ one: 1 })));
  });

  it('fails no request that gets the place of a connection that was just replaced', async () => {
    await Promise.all(Array.from({ length: 4 }, () => queryOne()));
    await delay(1_100);
    proxy.kill();
    reported.length = 0;
    expect(await queryOne()).toEqual([{ one: 1 }]);
    expect(reported.map(({ message }) => message)).toEqual([
      'a connection to the database gave no answer, so 3 idle ones are replaced',
    ]);
    expect(reported[0]).not.toHaveProperty('client');
  });

  it('isn’t silent anymore once it accepts a connection, though an earlier one still waits', async () => {
    proxy.reset();
    await expect.poll(() => db.poolUse!().open).toBe(0);
    proxy.delay(10 * TIMEOUT_MS);
    const lost = failureOf(queryOne());
    await expect.poll(() => proxy.waiting()).toBe(1);
    await proxy.mend();
    const later = await db.transaction(async (tx) => {
      await tx.query('select 1');
      expect(await lost).toMatchObject(CANNOT_REACH);
      return { answer: queryOne() };
    });
    expect(await later.answer).toEqual([{ one: 1 }]);
  });

  it('doesn’t delay closing', async () => {
    const { db, proxy } = closed;
    await db.query('select 1');
    expect(await db.responds()).toBe(true);
    proxy.blackHole();
    const running = db.query('select 1');
    await delay(20);
    const start = performance.now();
    await Promise.all([db.close(300), running.catch(() => {})]);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe('a check of the database', () => {
  it('is shared by all callers, and finds an outage and its end', async () => {
    expect(await Promise.all(Array.from({ length: 500 }, () => db.responds()))).not.toContain(
      false,
    );
    proxy.blackHole();
    const start = performance.now();
    expect(await Promise.all([db.responds(), db.responds()])).toEqual([false, false]);
    expect(performance.now() - start).toBeLessThan(2_000);
    await proxy.mend();
    expect(await db.responds()).toBe(true);
  });

  it('succeeds at once when only its own connection has died', async () => {
    expect(await db.responds()).toBe(true);
    proxy.kill();
    expect(await db.responds()).toBe(true);
  });

  it('doesn’t wait for the pool', async () => {
    if (!onServer) return;
    const busy = Promise.all(
      Array.from({ length: 8 }, () => msOf(queryOne('select pg_sleep(0.4)'))),
    );
    const ms = await msOf(db.responds());
    expect(ms).toBeLessThan(400);
    await busy;
  });
});

describe('a statement', () => {
  it.runIf(onServer)('is canceled by the server when it takes too long', async () => {
    expect(await failureOf(queryOne('select pg_sleep(5)'))).toMatchObject(TOO_LATE);
  });

  // The embedded database can't cancel statements.
  it.runIf(onServer)(
    'says that it took too long, or that others wait, if the database is busy',
    async () => {
      const failures = await Promise.all(
        Array.from({ length: 12 }, () =>
          queryOne('select pg_sleep(5)').catch((error: Error) => error.message),
        ),
      );
      const sentences = failures.filter((failure) => typeof failure === 'string');
      expect(sentences.length).toBeGreaterThan(0);
      for (const sentence of sentences) {
        expect(sentence).toMatch(/took too long|Too many requests are waiting for the database/);
      }
      await expect.poll(() => queryOne().catch(() => [])).toEqual([{ one: 1 }]);
    },
  );

  it.runIf(onServer)('may take longer in a transaction with its own limit', async () => {
    const slow = db.transaction((tx) => tx.query('select 2 as two, pg_sleep(1.5)'), {
      statementMs: 5_000,
    });
    expect(await slow).toMatchObject([{ two: 2 }]);
    expect(await queryOne()).toEqual([{ one: 1 }]);
  });

  it.runIf(onServer)('doesn’t wait long for a locked row', async () => {
    const { id } = await createOrganization(patient, { name: 'Locked' });
    const update = () =>
      tenantOf(db, id).query(
        `update plans set seats = seats where organization_id = $1 returning seats`,
      );
    await patient.transaction(async (tx) => {
      await tx.query('select from plans where organization_id = $1 for update', [id]);
      expect(await failureOf(update())).toMatchObject({
        status: 503,
        message: expect.stringMatching(/Another change to the same data/),
      });
    });
    expect(await update()).toHaveLength(1);
  });
});

describe('a transaction', () => {
  it('ends when its client stays idle, so that others continue', async () => {
    const idle = db.transaction(async (tx) => {
      await tx.query('select 1');
      await delay(TIMEOUT_MS * 1.5);
      await tx.query('select 1');
    });
    const failing = failureOf(idle);
    await expect.poll(() => queryOne().catch(() => [])).toEqual([{ one: 1 }]);
    expect(await failing).toMatchObject(TOO_LATE);
    expect(await queryOne()).toEqual([{ one: 1 }]);
  });
});

describe('limits', () => {
  it('apply only to the connections that ask for them', async () => {
    const settings = `select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`;
    await queryOne();
    const [row] = await patient.query<{ statement: string; idle: string }>(settings);
    // The embedded database has one session for all clients, so its gateway doesn't pass limits on.
    expect(row).toEqual(
      onServer ? { statement: '1h', idle: '5min' } : { statement: '0', idle: '0' },
    );
  });
});
