/** Dispatches events, reminds of waiting requests, and queues emails while the process runs. */
import type { Logger } from 'pino';
import type { Database } from '../../base/db/database.ts';
import { everyFew, type Loop } from '../../base/workers/loops.ts';
import { attemptEach } from './attempt-each.ts';
import { dispatchEvents } from './dispatch.ts';
import { queueDueEmails } from './queue-emails.ts';
import { remindOfWaiting } from './reminders.ts';
import { keepTerms } from './terms.ts';

const POLL_MS = 2_000;
const REMIND_MS = 5 * 60_000;

/**
 * Several processes may do this at once: each event and each email is still handled by one of them.
 * @param sendsMail whether the service sends email. Otherwise, notifications are only in the account
 */
export function startNotifier(
  { db, log, sendsMail }: { db: Database; log: Logger; sendsMail: boolean },
  pollMs = POLL_MS,
): Loop {
  let remindAt = 0;

  async function remind(): Promise<void> {
    if (performance.now() < remindAt) return;
    await attemptEach([remindOfWaiting, keepTerms], (step) => step(db));
    remindAt = performance.now() + REMIND_MS;
  }
  const steps = [remind, dispatchEvents, ...(sendsMail ? [queueDueEmails] : [])];
  const failed = 'notifications can’t be made now; retrying';
  return everyFew(pollMs, () => attemptEach(steps, (step) => step(db)), { log, failed });
}
