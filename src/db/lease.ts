/**
 * Leases ensure that at most one process at a time does some kind of work. A lease is a row instead of a
 * session lock, so it also works on the embedded database, whose clients share a session, and through
 * PgBouncer.
 */
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

/** Returns a lease, so that another process can take it at once. */
export async function endLease(db: Queryable, name: string, holder: string): Promise<void> {
  await db.query('delete from leases where name = $1 and holder = $2', [name, holder]);
}
