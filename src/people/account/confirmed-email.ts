/** Remembers when people last proved that they receive email at their address. */
import type { Queryable } from '../../base/db/database.ts';

/** Records that a person has just opened a link that only their inbox, or an operator, had. */
export async function confirmEmail(db: Queryable, personId: string): Promise<void> {
  await db.query('update people set email_confirmed_at = now() where id = $1', [personId]);
}
