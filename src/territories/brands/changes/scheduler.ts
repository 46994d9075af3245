/** Makes changes live on their days while the process runs. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../../../base/db/database.ts';
import { endLease, holdLease } from '../../../base/db/lease.ts';
import { everyFew, type Loop } from '../../../base/workers/loops.ts';
import { organizationsWithDueChanges, runDueChanges } from './due.ts';

const POLL_MS = 5_000;
const LEASE = 'changes';
/** After a process was killed, another one takes over within this time. */
const LEASE_SECONDS = 30;

/**
 * Starts a loop that makes due changes live. Of several processes, the one with the lease does it.
 * @param pace how often it looks, and how long its lease lasts
 */
export function startScheduler(
  { db, log }: { db: Database; log: Logger },
  { pollMs = POLL_MS, leaseSeconds = LEASE_SECONDS } = {},
): Loop {
  const holder = randomUUID();
  let holds = false;

  async function turn(signal: AbortSignal): Promise<void> {
    // Most of the time nothing is due, and then no process needs the lease.
    const organizations = await organizationsWithDueChanges(db);
    if (organizations.length === 0) return;
    const errors: unknown[] = [];
    for (const id of organizations) {
      holds = await holdLease(db, LEASE, holder, leaseSeconds);
      if (!holds || signal.aborted) break;
      const { live, blocked } = await runDueChanges(db, id).catch((error: unknown) => {
        errors.push(error);
        return { live: 0, blocked: 0 };
      });
      if (live + blocked > 0) {
        log.info({ organization: id, live, blocked }, 'changes of territories went live');
      }
    }
    if (errors.length > 0) throw errors[0];
  }
  const failed = 'changes of territories can’t go live now; retrying';
  const atEnd = async () => void (holds && (await endLease(db, LEASE, holder)));
  return everyFew(pollMs, turn, { log, failed, atEnd });
}
