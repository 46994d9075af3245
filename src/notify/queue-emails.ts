/**
 * Queues emails about notifications. The same transaction marks the notifications, so each is mentioned in one email,
 * also if processes are killed.
 */
import { randomUUID } from 'node:crypto';
import { tenantOf } from '../account/tenant.ts';
import type { Database } from '../db/database.ts';
import { queueMail } from '../mail/outbox.ts';
import { attemptEach } from './attempt-each.ts';
import { USUAL_CHOICES, USUAL_DIGEST_HOUR, USUAL_TIME_ZONE } from './settings.ts';
import type { TopicName } from './topics.ts';

export const NOTIFICATION_MAIL = 'notifications';

/** An email at once waits until there is quiet for this time, so that a burst becomes one email… */
export const QUIET_SECONDS = 60;
/** …but no longer than this. */
export const MAX_BURST_MINUTES = 10;
/** Older notifications are only in the account, such as those from before the service sent email. */
export const MAX_AGE_DAYS = 3;

const MAIL_HOURS = 48;
/** Further notifications of the hour come with a later email. */
const MAILS_PER_HOUR = 12;

/** The data of a queued email */
export interface NotificationMail {
  organizationId: string;
  personId: string;
  topic: TopicName;
  emailId: string;
}

interface Due extends Omit<NotificationMail, 'emailId'> {
  email: string;
  /** The last event that is due. Later ones come with the next email. */
  position: number;
}

/** Queues an email for every member and topic with due notifications. */
export const queueDueEmails = async (db: Database): Promise<void> =>
  attemptEach(await dueEmails(db), async (due) => {
    const { organizationId, email, personId, topic, position } = due;
    const emailId = randomUUID();
    await tenantOf(db, organizationId).transaction(async (tx) => {
      // Another process that marks the same notifications makes this one wait and find none.
      const marked = await tx.query(
        `update notifications set email_id = $4
         where organization_id = $1 and person_id = $2 and topic = $3 and email_id is null
           and position <= $5 and created_at > now() - interval '${MAX_AGE_DAYS} days'
         returning position`,
        [personId, topic, emailId, position],
      );
      if (marked.length === 0) return;
      const data: NotificationMail = { organizationId, personId, topic, emailId };
      const isQueued = await queueMail(tx.common, {
        ...{ kind: NOTIFICATION_MAIL, recipient: email, hours: MAIL_HOURS },
        ...{ perHour: MAILS_PER_HOUR, data: { ...data } },
      });
      if (!isQueued) {
        await tx.query(
          'update notifications set email_id = null where organization_id = $1 and email_id = $2',
          [emailId],
        );
      }
    });
  });

/**
 * SQL for the latest time at which a daily email was due: today or yesterday, on the clock of the member. When clocks
 * change, an hour that is skipped comes an hour later, and one that occurs twice counts the second time.
 * @param now SQL for the current time. The row has `zone`, and `hour` as an interval
 */
export const lastDaily = (now: string) => `(
  select max(at) from (
    select (date_trunc('day', ${now} at time zone zone) - days * interval '1 day' + hour) at time zone zone as at
    from generate_series(0, 1) as days
  ) times where at <= ${now})`;

const dueEmails = (db: Database): Promise<Due[]> =>
  db.query<Due & Record<string, unknown>>(
    `select organization_id as "organizationId", person_id as "personId", topic, position, people.email
     from (
       select n.organization_id, n.person_id, n.topic, max(n.position) as position,
         min(n.created_at) as oldest, max(n.created_at) as newest,
         coalesce(s.choices ->> n.topic, $1::jsonb ->> n.topic) as choice,
         coalesce(s.time_zone, $2) as zone,
         coalesce(s.digest_hour, $3::int) * interval '1 hour' as hour
       from notifications n left join notification_settings s using (organization_id, person_id)
       where n.email_id is null and n.created_at > now() - interval '${MAX_AGE_DAYS} days'
       group by n.organization_id, n.person_id, n.topic, s.choices, s.time_zone, s.digest_hour
     ) waiting join people on people.id = person_id
     where choice = 'now' and (newest <= now() - interval '${QUIET_SECONDS} seconds'
         or oldest <= now() - interval '${MAX_BURST_MINUTES} minutes')
       or choice = 'daily' and oldest <= ${lastDaily('now()')}`,
    [USUAL_CHOICES, USUAL_TIME_ZONE, USUAL_DIGEST_HOUR],
  );
