/**
 * Deletes expired rows in the background, in one of the processes that use the database. Each batch is a
 * short statement that doesn't wait for locks, and a pause follows it, so requests don't notice.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../base/db/database.ts';
import { everyFew, type Loop } from '../../base/workers/loops.ts';
import { endLease, holdLease } from '../../base/db/lease.ts';
import { countDeleted } from '../../base/observe/tally.ts';
import { EXPIRING } from './tables.ts';

interface Pace {
  /** Between two runs */
  everyMs: number;
  /** After this time without a sign of the elected process, another one takes over */
  leaseMs: number;
  /** After a batch, at least. A slow batch is followed by twice its own time */
  pauseMs: number;
}

/** Deletes up to a million rows in a minute. */
const PACE: Pace = { everyMs: 60_000, leaseMs: 150_000, pauseMs: 50 };
const LEASE = 'cleanup';

export function startCleaner({ db, log }: { db: Database; log: Logger }, pace = PACE): Loop {
  const holder = randomUUID();
  let renewAt = 0;

  /** @returns whether this process is the elected one */
  async function isElected(): Promise<boolean> {
    if (performance.now() < renewAt) return true;
    const startedAt = performance.now();
    const held = await holdLease(db, LEASE, holder, pace.leaseMs / 1000);
    if (held) renewAt = startedAt + pace.leaseMs / 3;
    return held;
  }

  /** Takes turns among the tables, so that a large one doesn't delay the others. */
  async function run(signal: AbortSignal): Promise<void> {
    const rest = (ms: number) => delay(ms, undefined, { signal }).catch(() => {});
    const startedAt = performance.now();
    const deleted: Record<string, number> = {};
    let left = EXPIRING.map((rows) => ({ rows, from: undefined as string | undefined }));
    try {
      while (left.length > 0) {
        const unfinished: typeof left = [];
        for (const { rows, from } of left) {
          if (signal.aborted || !(await isElected())) return;
          const batchAt = performance.now();
          const batch = await rows.deleteSome(db, rows.batch, from);
          if (batch.deleted === 0) continue;
          deleted[rows.table] = (deleted[rows.table] ?? 0) + batch.deleted;
          countDeleted(rows.table, batch.deleted);
          if (batch.deleted === rows.batch) unfinished.push({ rows, from: batch.next });
          await rest(Math.max(pace.pauseMs, 2 * (performance.now() - batchAt)));
        }
        left = unfinished;
      }
    } finally {
      const ms = Math.round(performance.now() - startedAt);
      if (Object.keys(deleted).length > 0) log.info({ deleted, ms }, 'deleted expired rows');
    }
  }

  async function work(signal: AbortSignal): Promise<void> {
    try {
      if (await isElected()) await run(signal);
    } catch (error) {
      renewAt = 0;
      throw error;
    }
  }

  return everyFew(pace.everyMs, work, {
    log,
    failed: 'expired rows can’t be deleted now; retrying',
    // Processes that start at the same time take different moments, after the busy first seconds.
    firstMs: pace.everyMs * (0.2 + 0.8 * Math.random()),
    atEnd: () => endLease(db, LEASE, holder).catch(() => {}),
  });
}
