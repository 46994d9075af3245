/** Remembers which people have proved that they receive email at their address. */
import type { Queryable } from '../db/database.ts';

/** Records that a person opened a link that only their inbox, or an operator, had. */
export async function confirmEmail(db: Queryable, personId: string): Promise<void> {
  await db.query(
    'update people set email_confirmed_at = coalesce(email_confirmed_at, now()) where id = $1',
    [personId],
  );
}
