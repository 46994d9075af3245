/** Time that passes for notifications. */
import type { Queryable } from '../../../src/base/db/database.ts';

/** Makes unsent notifications older, as if the time had passed, and so the emails about them due earlier. */
export async function passTime(db: Queryable, interval: string): Promise<void> {
  await db.query(
    `with older as (
       update notifications set created_at = created_at - $1::interval where email_id is null
     )
     update due_emails set due_at = due_at - $1::interval`,
    [interval],
  );
}
