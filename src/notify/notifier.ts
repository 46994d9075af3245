/** Dispatches events, reminds of waiting requests, and queues emails while the process runs. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { attemptEach } from './attempt-each.ts';
import { dispatchEvents } from './dispatch.ts';
import { queueDueEmails } from './queue-emails.ts';
import { remindOfWaiting } from './reminders.ts';

export interface Notifier {
  /** Stops after the work under way, but waits for it no longer than `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

const POLL_MS = 2_000;
const REMIND_MS = 5 * 60_000;
const CLOSE_MS = 1_000;

/**
 * Several processes may do this at once: each event and each email is still handled by one of them.
 * @param sendsMail whether the service sends email. Otherwise, notifications are only in the account
 */
export function startNotifier(
  { db, log, sendsMail }: { db: Database; log: Logger; sendsMail: boolean },
  pollMs = POLL_MS,
): Notifier {
  const closing = new AbortController();
  const { signal } = closing;
  let remindAt = 0;
  let isAway = false;

  async function remind(): Promise<void> {
    if (performance.now() < remindAt) return;
    await remindOfWaiting(db);
    remindAt = performance.now() + REMIND_MS;
  }
  const steps = [remind, dispatchEvents, ...(sendsMail ? [queueDueEmails] : [])];

  async function work(): Promise<void> {
    while (!signal.aborted) {
      try {
        await attemptEach(steps, (step) => step(db));
        isAway = false;
      } catch (error) {
        if (!isAway) log.warn({ err: error }, 'notifications can’t be made now; retrying');
        isAway = true;
      }
      await delay(pollMs, undefined, { signal }).catch(() => {});
    }
  }

  const working = work();
  return {
    async close(graceMs = CLOSE_MS) {
      closing.abort();
      await Promise.race([working, delay(graceMs, undefined, { ref: false })]);
    },
  };
}
