/**
 * Deletes expired rows in the background, in one of the processes that use the database. Each batch is a
 * short statement that doesn't wait for locks, and a pause follows it, so requests don't notice.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { ExpiringRows } from '../db/expiring-rows.ts';
import { endLease, holdLease } from '../db/lease.ts';
import { countDeleted } from '../observe/tally.ts';
import { EXPIRING } from './tables.ts';

export interface Cleaner {
  /** Stops after the batch under way, but waits for it no longer than `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

export interface Pace {
  /** Between two runs */
  everyMs: number;
  /** After this time without a sign of the elected process, another one takes over */
  leaseMs: number;
  /** After a batch, at least. A slow batch is followed by twice its own time */
  pauseMs: number;
}

/** A batch of a thousand rows takes about 10 ms, so this deletes up to a million rows in a minute. */
const PACE: Pace = { everyMs: 60_000, leaseMs: 150_000, pauseMs: 50 };
const CLOSE_MS = 1_000;
const LEASE = 'cleanup';

export function startCleaner(
  { db, log }: { db: Database; log: Logger },
  pace = PACE,
  tables: readonly ExpiringRows[] = EXPIRING,
): Cleaner {
  const closing = new AbortController();
  const { signal } = closing;
  const holder = randomUUID();
  let renewAt = 0;
  let isAway = false;

  /** @returns whether this process is the elected one */
  async function isElected(): Promise<boolean> {
    if (performance.now() < renewAt) return true;
    const startedAt = performance.now();
    const held = await holdLease(db, LEASE, holder, pace.leaseMs / 1000);
    if (held) renewAt = startedAt + pace.leaseMs / 3;
    return held;
  }

  /** Takes turns among the tables, so that a large one doesn't delay the others. */
  async function run(): Promise<void> {
    const startedAt = performance.now();
    const deleted: Record<string, number> = {};
    let left = tables.map((rows) => ({ rows, from: undefined as string | undefined }));
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

  const rest = (ms: number) => delay(ms, undefined, { signal }).catch(() => {});

  async function work(): Promise<void> {
    // Processes that start at the same time take different moments, after the busy first seconds.
    await rest(pace.everyMs * (0.2 + 0.8 * Math.random()));
    while (!signal.aborted) {
      try {
        if (await isElected()) await run();
        isAway = false;
      } catch (error) {
        if (!isAway) log.warn({ err: error }, 'expired rows can’t be deleted now; retrying');
        isAway = true;
        renewAt = 0;
      }
      await rest(pace.everyMs);
    }
    await endLease(db, LEASE, holder).catch(() => {});
  }

  const working = work();
  return {
    async close(graceMs = CLOSE_MS) {
      closing.abort();
      await Promise.race([working, delay(graceMs, undefined, { ref: false })]);
    },
  };
}
