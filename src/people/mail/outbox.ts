/**
 * Messages waiting to be sent, stored in the database, so that none is lost while the process or the SMTP
 * server is down. Any process may send them. Finished messages are kept for a day without their data, to
 * limit the number of messages per recipient.
 */
import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../base/db/database.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { tally } from '../../base/observe/tally.ts';

interface NewMail {
  /** Topic of the message, which selects its text */
  kind: string;
  recipient: string;
  /** Values for the text. Never secrets. */
  data?: Readonly<Record<string, unknown>>;
  /** Hours after which the message is useless */
  hours: number;
  /** Messages of this kind that the recipient may get in an hour. Default: `MAX_PER_HOUR` */
  perHour?: number;
  /** Set if anyone can trigger the message without signing in */
  fromStranger?: true;
}

/** Messages of one kind per address and hour, so that a stranger can't flood an inbox. */
export const MAX_PER_HOUR = 5;
/** More than an hour of work for an SMTP server. Further messages are dropped. */
export const MAX_WAITING = 10_000;
/** Keeps strangers from filling the outbox, so that alerts and invitations are still sent. */
export const MAX_FROM_STRANGERS = MAX_WAITING / 2;

/**
 * Queues a message. Within a transaction, it is sent after the commit.
 * @returns false if the recipient already got too many of these messages, or too many are waiting
 */
export async function queueMail(db: Queryable, mail: NewMail): Promise<boolean> {
  const [row] = await db.query<{ queued: boolean }>(
    'select queue_mail($1, $2, $3, $4, $5, $6) as queued',
    [
      mail.kind,
      mail.recipient,
      JSON.stringify(mail.data ?? {}),
      mail.hours,
      mail.perHour ?? MAX_PER_HOUR,
      mail.fromStranger ? MAX_FROM_STRANGERS : MAX_WAITING,
    ],
  );
  return row!.queued;
}

/** A message that this process may send during the next `CLAIM_SECONDS`. */
export interface ClaimedMail {
  id: string;
  kind: string;
  recipient: string;
  data: Record<string, unknown>;
  /** Including the current one */
  attempts: number;
  expired: boolean;
  claim: string;
}

/** Longer than an attempt takes. Afterwards, another process may claim the message of a dead process. */
export const CLAIM_SECONDS = 120;

/** Claims the message that has been due for the longest time. @returns null if none is due */
export async function claimMail(db: Queryable): Promise<ClaimedMail | null> {
  const [mail] = await db.query<ClaimedMail>(
    `update outbox set
       attempts = attempts + 1, claim = $1, due_at = now() + $2::int * interval '1 second'
     where id = (
       select id from outbox where done_at is null and due_at <= now()
       order by due_at limit 1 for update skip locked
     )
     returning id, kind, recipient, data, attempts, claim, expires_at <= now() as expired`,
    [randomUUID(), CLAIM_SECONDS],
  );
  return mail ?? null;
}

type Outcome = 'sent' | 'dropped' | 'refused' | 'expired';

/** Finishes a message. Does nothing if another process has claimed it since. */
export async function finishMail(
  db: Queryable,
  { id, claim }: ClaimedMail,
  outcome: Outcome,
  problem?: string,
): Promise<void> {
  tally.mail[outcome]++;
  await db.query(
    `update outbox set done_at = now(), outcome = $3, problem = coalesce($4, problem), data = '{}'
     where id = $1 and claim = $2 and done_at is null`,
    [id, claim, outcome, problem ?? null],
  );
}

/** Schedules another attempt. @param seconds from now */
export async function postponeMail(
  db: Queryable,
  { id, claim }: ClaimedMail,
  seconds: number,
  problem: string,
): Promise<void> {
  tally.mail.retried++;
  await db.query(
    `update outbox set due_at = now() + $3::int * interval '1 second', problem = $4
     where id = $1 and claim = $2 and done_at is null`,
    [id, claim, seconds, problem],
  );
}

const FIRST_RETRY_SECONDS = 30;
const LAST_RETRY_SECONDS = 3600;

/** 30 s, 1 min, 2 min, …, up to an hour */
export const retrySeconds = (attempts: number) =>
  Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), LAST_RETRY_SECONDS);

export const DONE_MAIL = expiring({
  table: 'outbox',
  column: 'done_at',
  before: `now() - interval '1 day'`,
});

/** Expired messages of a service that no longer sends email. Otherwise, the sender gives up on them. */
export const UNSENT_MAIL = expiring({
  table: 'outbox',
  column: 'expires_at',
  before: `now() - interval '1 day'`,
  only: 'done_at is null',
});

/** Counts the messages that are waiting, including those being sent. */
export async function countWaitingMail(db: Queryable): Promise<number> {
  const [row] = await db.query<{ waiting: number }>(
    'select count(*) as waiting from outbox where done_at is null',
  );
  return row!.waiting;
}
