/** A member's notifications: the list behind the bell, which those without email use too. */
import type { Tenant } from '../../people/account/tenant.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { KEPT_DAYS, type RecordedEvent } from '../../people/events/events.ts';
import { describeEvent, type EventText } from './event-text.ts';
import type { TopicName } from './topics.ts';

export const OLD_NOTIFICATIONS = expiring({
  table: 'notifications',
  column: 'created_at',
  before: `now() - interval '${KEPT_DAYS} days'`,
});

export interface Notification extends EventText {
  position: number;
  topic: TopicName;
  at: Date;
  isRead: boolean;
  event: RecordedEvent;
}

type Row = RecordedEvent & { topic: TopicName; zips: string[] | null; isRead: boolean };

/** @param condition SQL on a row `n`; its values start at `$3` */
async function read(
  tenant: Tenant,
  personId: string,
  condition: string,
  values: readonly unknown[],
): Promise<Notification[]> {
  const rows = await tenant.query<Row>(
    `select e.position, e.id, e.type, e.at, e.brand_id as "brandId", e.actor, e.data,
       n.topic, n.zips, n.read_at is not null as "isRead"
     from notifications n join events e using (organization_id, position)
     where n.organization_id = $1 and n.person_id = $2 and ${condition}`,
    [personId, ...values],
  );
  return rows.map(({ topic, zips, isRead, ...event }) => {
    return {
      ...describeEvent(event, zips),
      position: event.position,
      topic,
      at: event.at,
      isRead,
      event,
    };
  });
}

/** Lists the latest notifications, newest first. */
export const latestNotifications = (tenant: Tenant, personId: string, limit: number) =>
  read(tenant, personId, 'true order by n.position desc limit $3', [limit]);

/** Lists the notifications of an email, oldest first. */
export const notificationsOfEmail = (tenant: Tenant, personId: string, emailId: string) =>
  read(tenant, personId, 'n.email_id = $3 order by n.position', [emailId]);

/** Counts the notifications that a person hasn't seen. */
export async function countUnread(tenant: Tenant, personId: string): Promise<number> {
  const [row] = await tenant.query<{ count: number }>(
    `select count(*) as count from notifications n join events e using (organization_id, position)
     where n.organization_id = $1 and n.person_id = $2 and read_at is null`,
    [personId],
  );
  return row!.count;
}

/** Marks notifications as read, up to and including a position. */
export async function markRead(tenant: Tenant, personId: string, position: number): Promise<void> {
  await tenant.query(
    `update notifications set read_at = now()
     where organization_id = $1 and person_id = $2 and position <= $3 and read_at is null`,
    [personId, position],
  );
}
