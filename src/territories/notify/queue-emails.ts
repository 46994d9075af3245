/**
 * Queues emails about notifications. The same transaction marks the notifications, so each is mentioned in one email,
 * also if processes are killed.
 */
import { randomUUID } from 'node:crypto';
import { tenantOf, type TenantTransaction } from '../../people/account/tenant.ts';
import type { Database } from '../../base/db/database.ts';
import { queueMail } from '../../people/mail/outbox.ts';
import { attemptEach } from './attempt-each.ts';
import { MAX_AGE_DAYS } from './due-emails.ts';
import type { TopicName } from './topics.ts';

export const NOTIFICATION_MAIL = 'notifications';

const MAIL_HOURS = 48;
/** Further notifications of the hour come with a later email. */
const MAILS_PER_HOUR = 12;
const LATER_MINUTES = 5;

/** The data of a queued email */
export interface NotificationMail {
  organizationId: string;
  personId: string;
  topic: TopicName;
  emailId: string;
}

interface Due extends Omit<NotificationMail, 'emailId'> {
  email: string;
}

/** Queues an email for every member and topic with due notifications. */
export const queueDueEmails = async (db: Database): Promise<void> =>
  attemptEach(await db.query<Due & Record<string, unknown>>(DUE_EMAILS), (due) =>
    tenantOf(db, due.organizationId).transaction((tx) => queueEmail(tx, due)),
  );

/** Every process reads this every two seconds. The index on `due_at` has only what will be sent. */
export const DUE_EMAILS = `
  select organization_id as "organizationId", person_id as "personId", topic, people.email
  from due_emails join people on people.id = person_id
  where due_at <= now() order by due_at`;

async function queueEmail(
  tx: TenantTransaction,
  { organizationId, email, personId, topic }: Due,
): Promise<void> {
  // Another process that does the same makes this one wait and find nothing. One that adds a notification waits, too.
  const due = await tx.query(
    `delete from due_emails
     where organization_id = $1 and person_id = $2 and topic = $3 and due_at <= now() returning topic`,
    [personId, topic],
  );
  if (due.length === 0) return;
  const emailId = randomUUID();
  const marked = await tx.query(
    `update notifications set email_id = $4
     where organization_id = $1 and person_id = $2 and topic = $3 and email_id is null
       and created_at > now() - interval '${MAX_AGE_DAYS} days'
     returning position`,
    [personId, topic, emailId],
  );
  if (marked.length === 0) return;
  const data: NotificationMail = { organizationId, personId, topic, emailId };
  const isQueued = await queueMail(tx.common, {
    kind: NOTIFICATION_MAIL,
    recipient: email,
    hours: MAIL_HOURS,
    perHour: MAILS_PER_HOUR,
    data: { ...data },
  });
  if (isQueued) return;
  await tx.query(
    'update notifications set email_id = null where organization_id = $1 and email_id = $2',
    [emailId],
  );
  await tx.query(
    `insert into due_emails values ($1, $2, $3, now() + interval '${LATER_MINUTES} minutes')`,
    [personId, topic],
  );
}
