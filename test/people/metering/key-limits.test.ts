import { describe, expect, it } from 'vitest';
import { POLICIES } from '../../../src/base/contract/limits.ts';
import { keyLimits } from '../../../src/people/metering/key-limits.ts';
import { cuttableDatabase } from '../../support/cuttable-database.ts';
import { testDatabase } from '../../support/database.ts';

const { db, env } = await testDatabase('empty');
const limits = keyLimits(db);
const { mcp, 'mcp-day': day } = POLICIES;

/** Ends the current window of a key. */
const endWindow = (policy: string, key: string) =>
  db.query('update limit_counters set expire = 1 where key = $1', [`${policy}:${key}`]);

describe('keyLimits', () => {
  it('allows 60 calls a minute and 2,000 a day', async () => {
    expect([mcp, day]).toEqual([
      { quota: 60, windowSeconds: 60 },
      { quota: 2000, windowSeconds: 86_400 },
    ]);
    const standings = await limits.count('fresh');
    expect(standings).toMatchObject([
      { policy: 'mcp', ...mcp, remaining: 59, exceeded: false },
      { policy: 'mcp-day', ...day, remaining: 1999, exceeded: false },
    ]);
    expect(standings[0].resetSeconds).toBeLessThanOrEqual(60);
    expect(standings[1].resetSeconds).toBeGreaterThan(86_000);
  });

  it('allows exactly 60 of 90 concurrent calls across processes', async () => {
    const processes = [limits, keyLimits(db), keyLimits(db)];
    const standings = await Promise.all(
      Array.from({ length: 90 }, (_, n) => processes[n % 3]!.count('racing')),
    );
    expect(standings.filter(([minute]) => !minute.exceeded)).toHaveLength(60);
    // Calls over the minute's quota don't count for the day.
    expect((await limits.read('racing'))[1]).toMatchObject({ remaining: day.quota - 60 });
  });

  it('resets the minute when its window ends, but not the day', async () => {
    for (let n = 0; n < 61; n++) await limits.count('back');
    expect((await limits.count('back'))[0]).toMatchObject({ exceeded: true, remaining: 0 });
    await endWindow('mcp', 'back');
    expect(await limits.count('back')).toMatchObject([
      { remaining: 59, exceeded: false },
      { remaining: day.quota - 61 },
    ]);
  });

  it('refuses calls once the day’s quota is used', async () => {
    await limits.count('busy');
    await db.query('update limit_counters set points = $2 where key = $1', [
      'mcp-day:busy',
      day.quota - 1,
    ]);
    expect((await limits.count('busy'))[1]).toMatchObject({ remaining: 0, exceeded: false });
    expect(await limits.count('busy')).toMatchObject([{ exceeded: false }, { exceeded: true }]);
  });

  it('counts nothing when the limits are read', async () => {
    const untouched = [
      { remaining: 60, resetSeconds: 60 },
      { remaining: 2000, resetSeconds: 86_400 },
    ];
    expect(await limits.read('untouched')).toMatchObject(untouched);
    expect(await limits.read('untouched')).toMatchObject(untouched);
  });
});

it('refuses calls while the database is unavailable', async () => {
  const { db: cut, proxy } = await cuttableDatabase(env);
  const cutLimits = keyLimits(cut);
  await cutLimits.count('steady');
  await proxy.cut();
  await expect(cutLimits.count('steady')).rejects.toMatchObject({ status: 503 });
  await expect(cutLimits.read('steady')).rejects.toMatchObject({ status: 503 });
  await proxy.mend();
  expect((await cutLimits.count('steady'))[0]).toMatchObject({ remaining: 58 });
});
