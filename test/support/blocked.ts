/** Statements that wait for the lock of another transaction. */
import { expect, inject } from 'vitest';
import type { Queryable } from '../../src/base/db/database.ts';

/**
 * Waits, while a transaction is open, until so many other statements wait for its locks. The embedded database runs one
 * transaction at a time, so all other statements wait there, this question too: it isn't asked.
 */
export async function untilBlocked(db: Queryable, count: number): Promise<void> {
  if (!inject('testServer')) return;
  const waiting = () =>
    db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  await expect.poll(waiting).toHaveLength(count);
}
