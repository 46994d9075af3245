/**
 * Leases ensure that at most one process at a time does some kind of work. A lease is a row instead of a
 * session lock, so it also works on the embedded database, whose clients share a session, and through
 * PgBouncer.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Queryable } from './database.ts';

/**
 * Takes a lease that is free or has expired, or renews the holder's own lease.
 * @param name the kind of work
 * @param holder the id of this process
 * @returns whether this process now holds it
 */
export async function holdLease(
  db: Queryable,
  name: string,
  holder: string,
  seconds: number,
): Promise<boolean> {
  const held = await db.query(
    `insert into leases (name, holder, expires_at) values ($1, $2, now() + $3 * interval '1 second')
     on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
       where leases.holder = excluded.holder or leases.expires_at <= now()
     returning name`,
    [name, holder, seconds],
  );
  return held.length > 0;
}

const WORK_SECONDS = 60;
const WAIT_MS = 500;

/**
 * Runs `work` with a lease, which is renewed until the work ends. Waits while another process holds it, so
 * `work` should first check whether that process has done everything.
 * @param stopping aborts the waiting
 */
export async function withLease<T>(
  db: Queryable,
  name: string,
  { stopping, onWait }: { stopping: AbortSignal; onWait?: () => void },
  work: () => Promise<T>,
): Promise<T> {
  const holder = randomUUID();
  const hold = () => holdLease(db, name, holder, WORK_SECONDS);
  while (!(await hold())) {
    onWait?.();
    await delay(WAIT_MS, undefined, { signal: stopping });
  }
  const renewing = setInterval(() => void hold().catch(() => {}), (WORK_SECONDS * 1000) / 4);
  renewing.unref();
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await endLease(db, name, holder);
  }
}

/** Returns a lease, so that another process can take it at once. */
export async function endLease(db: Queryable, name: string, holder: string): Promise<void> {
  await db.query('delete from leases where name = $1 and holder = $2', [name, holder]);
}
