/**
 * Turns events into notifications. The position of the last event moves in the same transaction, so each event is
 * dispatched exactly once, whichever process does it and whenever one is killed.
 */
import { listMembers } from '../../people/account/members.ts';
import { tenantOf, type TenantTransaction } from '../../people/account/tenant.ts';
import type { Database } from '../../base/db/database.ts';
import { listEvents } from '../../people/events/events.ts';
import { attemptEach } from './attempt-each.ts';
import { scheduleEmails } from './due-emails.ts';
import { recipientsOf, type Recipient } from './recipients.ts';

/** Events in a transaction */
const BATCH = 200;

/** Dispatches the new events of all organizations. */
export const dispatchEvents = async (db: Database): Promise<void> =>
  attemptEach(await organizationsWithNews(db), async (organizationId) => {
    const tenant = tenantOf(db, organizationId);
    while (await tenant.transaction(dispatchBatch));
  });

async function organizationsWithNews(db: Database): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select events.organization_id as id
     from event_positions events left join notified_events notified using (organization_id)
     where events.position > coalesce(notified.position, 0)`,
  );
  return rows.map(({ id }) => id);
}

/** @returns whether there may be more events, and no other process is dispatching them */
async function dispatchBatch(tx: TenantTransaction): Promise<boolean> {
  tx.defer(
    `insert into notified_events (organization_id, position) values ($1, 0) on conflict do nothing`,
  );
  const [from] = await tx.query<{ position: number }>(
    `select position from notified_events where organization_id = $1 for update skip locked`,
  );
  if (!from) return false;
  const { events, nextAfter } = await listEvents(tx, from.position, BATCH);
  const members = events.length > 0 ? await listMembers(tx) : [];
  const rows: (Recipient & { position: number })[] = [];
  for (const event of events) {
    const recipients = await recipientsOf(tx, members, event);
    rows.push(...recipients.map((recipient) => ({ ...recipient, position: event.position })));
  }
  tx.defer(
    `insert into notifications (organization_id, person_id, position, topic, zips)
     select $1, "personId", position, topic, zips
     from jsonb_to_recordset($2) as told ("personId" uuid, position bigint, topic text, zips text[])`,
    [JSON.stringify(rows)],
  );
  if (rows.length > 0) await scheduleEmails(tx, [...new Set(rows.map((row) => row.personId))]);
  tx.defer('update notified_events set position = $2 where organization_id = $1', [nextAfter]);
  return events.length === BATCH;
}
