/** The CPU time of deadlines: queries of the service compared with those of a plain pool. */
import pg from 'pg';
import { afterAll, expect, inject, it } from 'vitest';
import { openDatabase } from '../../src/base/db/database.ts';
import { serviceDeadlines } from '../../src/base/db/deadlines.ts';
import { testDatabase } from '../support/database.ts';
import { median } from './quantile.ts';

const { env } = await testDatabase('empty');
const POOL_SIZE = 10;
const ROUNDS = 40;
const QUERIES = 500;

const plain = new pg.Pool({
  ...(inject('testServer')
    ? { connectionString: env.DATABASE_URL }
    : { host: env.DATA_DIR, user: 'postgres', database: 'postgres' }),
  max: POOL_SIZE,
  min: 1,
});
const db = await openDatabase(
  { databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR ?? '', databasePoolSize: POOL_SIZE },
  { deadlines: serviceDeadlines(3_000) },
);
afterAll(() => Promise.all([plain.end(), db.close()]));

const SQL = 'select $1::int as n';

it.each([1, 8])('costs little with %i queries at a time', async (concurrency) => {
  const ways = {
    plain: (n: number) => plain.query(SQL, [n]),
    deadlines: (n: number) => db.query(SQL, [n]),
  };
  const times = { plain: [] as number[], deadlines: [] as number[] };
  // The two take turns, so that other work on the machine affects both.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, query] of Object.entries(ways)) {
      const began = process.cpuUsage();
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          for (let n = 0; n < QUERIES / concurrency; n++) await query(n);
        }),
      );
      const { user, system } = process.cpuUsage(began);
      times[name as keyof typeof ways].push((user + system) / QUERIES);
    }
  }
  const before = median(times.plain);
  const after = median(times.deadlines);
  process.stdout.write(
    `${concurrency} at a time: ${before.toFixed(1)} us of CPU per query without deadlines, ` +
      `${after.toFixed(1)} us with; ratio ${(after / before).toFixed(3)}\n`,
  );
  expect(after / before).toBeLessThan(1.5);
});
