/** Deletes expired rows at the pace of the service, beside statements of requests. */
import { setTimeout as delay } from 'node:timers/promises';
import { startCleaner } from '../../../src/run/cleanup/cleaner.ts';
import type { Database } from '../../../src/base/db/database.ts';
import { createLog, linesTo } from '../../../src/base/observe/log.ts';
import { openSync } from 'node:fs';
import { tally } from '../../../src/base/observe/tally.ts';
import { report } from '../ceilings.ts';

const CALM_MS = 5_000;
const PACE = { everyMs: 100, leaseMs: 60_000, pauseMs: 50 };

/** @returns the number of deleted rows */
export async function deleteExpired(db: Database, count: number): Promise<number> {
  await db.query(
    `insert into limit_counters
     select 'bench:' || n, 1, n from generate_series(1, $1::int) n on conflict do nothing`,
    [count],
  );
  const deleted = () => [...tally.deleted.values()].reduce((sum, rows) => sum + rows, 0);
  const batches: number[] = [];
  const observed: Database = {
    ...db,
    async query(sql, values, scope) {
      const startedAt = performance.now();
      const rows = await db.query(sql, values, scope);
      if (sql.includes('skip locked')) batches.push(performance.now() - startedAt);
      return rows as never;
    },
  };
  const [calm] = await latencies(db, delay(CALM_MS));
  const before = deleted();
  const startedAt = performance.now();
  const log = createLog('info', linesTo(openSync('/dev/null', 'w')));
  const cleaner = startCleaner({ db: observed, log }, PACE);
  const finished = (async () => {
    while (deleted() - before < count) await delay(100);
  })();
  const [beside, worst] = await latencies(db, finished);
  await cleaner.close();
  const seconds = (performance.now() - startedAt) / 1000;
  const rows = deleted() - before;
  report(
    `\ncleanup: ${rows} rows in ${seconds.toFixed()} s, ${Math.round(rows / seconds)} per second; ` +
      `a batch takes ${quantile(batches, 0.5)} ms (99th percentile ${quantile(batches, 0.99)}); a statement beside it ` +
      `${beside} ms (calm: ${calm} ms; longest: ${worst} ms)`,
  );
  return rows;
}

/** The median and the longest time of a statement that writes to the same table, until `end`. */
async function latencies(db: Database, end: Promise<unknown>): Promise<[string, string]> {
  let ended = false;
  void end.then(() => (ended = true));
  const times: number[] = [];
  while (!ended) {
    const startedAt = performance.now();
    await db.query(
      `insert into limit_counters values ('busy', 1, extract(epoch from now()) * 1000)
       on conflict (key) do update set points = limit_counters.points + 1`,
    );
    times.push(performance.now() - startedAt);
    await delay(10);
  }
  return [quantile(times, 0.5), quantile(times, 1)];
}

function quantile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)]!.toFixed(1);
}
