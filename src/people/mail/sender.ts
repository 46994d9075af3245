/** Sends the messages of the outbox one after another while the process runs. */
import type { Logger } from 'pino';
import type { Database } from '../../base/db/database.ts';
import { everyFew, type Loop } from '../../base/workers/loops.ts';
import { renderLetter, type Letter } from './letter.ts';
import {
  claimMail,
  finishMail,
  MAX_FROM_STRANGERS,
  MAX_WAITING,
  countWaitingMail,
  postponeMail,
  retrySeconds,
  type ClaimedMail,
} from './outbox.ts';
import { SmtpFailure, type FailureScope, type Smtp } from './smtp.ts';

/**
 * Loads the content of a message and creates its links.
 * @returns the letter and its address; null if there is no longer anything to send
 */
export type Writer = (
  recipient: string,
  data: Record<string, unknown>,
) => Promise<{ letter: Letter; recipient: string } | null>;

/** Writers by kind of message */
export type Writers = Readonly<Record<string, Writer>>;

interface SenderParts {
  db: Database;
  smtp: Smtp;
  writers: Writers;
  log: Logger;
  /** Name of the service, at the end of each message */
  sender: string;
}

const POLL_MS = 1_000;
const CHECK_MS = 60_000;
/** While the SMTP server is unavailable */
const PAUSE_MS = { first: 5_000, last: 60_000 };

export function startSender(parts: SenderParts, pause = PAUSE_MS): Loop {
  const { db, log } = parts;
  /** Consecutive attempts that the server failed */
  let failures = 0;
  let checkAt = 0;

  /** @returns the time until the next round, in milliseconds */
  async function round(signal: AbortSignal): Promise<number> {
    if (Date.now() >= checkAt) {
      checkAt = Date.now() + CHECK_MS;
      await warnWhenFull();
    }
    while (!signal.aborted) {
      const mail = await claimMail(db);
      if (!mail) break;
      const pauseMs = Math.min(pause.first * 2 ** failures, pause.last);
      const result = await deliver(parts, mail, pauseMs / 1000);
      if (result === 'server') {
        failures++;
        return pauseMs;
      }
      if (result !== 'skipped') failures = 0;
    }
    return POLL_MS;
  }

  async function warnWhenFull(): Promise<void> {
    const waiting = await countWaitingMail(db);
    if (waiting < MAX_FROM_STRANGERS) return;
    const dropped = waiting < MAX_WAITING ? 'sign-ups and forgotten passwords' : 'all messages';
    log.error({ waiting }, `too many emails are waiting; ${dropped} are dropped`);
  }

  // Claimed messages become due again when their claim ends.
  const failed = 'the outbox can’t be read; retrying';
  return everyFew(POLL_MS, round, { log, failed, retryMs: pause.first });
}

/**
 * Makes one attempt and records its result.
 * @param pauseSeconds time until the next attempt if the server failed
 * @returns the scope of the failure; `skipped` if the message was intentionally not sent
 */
async function deliver(
  { db, smtp, writers, log, sender }: SenderParts,
  mail: ClaimedMail,
  pauseSeconds: number,
): Promise<'sent' | 'skipped' | FailureScope> {
  const { id, kind, attempts } = mail;
  if (mail.expired) {
    await finishMail(db, mail, 'expired');
    log.error({ mail: id, kind, attempts }, 'gave up on an email that was not sent in time');
    return 'skipped';
  }
  try {
    const write = writers[kind];
    if (!write) throw new Error(`no writer for emails of the kind ${kind}`);
    const written = await write(mail.recipient, mail.data);
    if (!written) {
      await finishMail(db, mail, 'dropped');
      return 'skipped';
    }
    const { letter, recipient } = written;
    await smtp.send({ id, recipient, ...renderLetter(letter, sender) });
  } catch (error) {
    // A failure on our side, such as of the database, affects only this message.
    const failure =
      error instanceof SmtpFailure
        ? error
        : new SmtpFailure('message', 'The message could not be written', { cause: error });
    const { scope, message } = failure;
    log.warn({ mail: id, kind, attempts, scope, err: failure }, 'an email was not sent');
    if (scope === 'recipient') await finishMail(db, mail, 'refused', message);
    else {
      const seconds = scope === 'server' ? Math.ceil(pauseSeconds) : retrySeconds(attempts);
      await postponeMail(db, mail, seconds, message);
    }
    return scope;
  }
  await finishMail(db, mail, 'sent');
  log.info({ mail: id, kind, attempts }, 'email sent');
  return 'sent';
}
