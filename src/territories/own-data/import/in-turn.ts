/** One file of an organization after another. */
import pLimit, { type LimitFunction } from 'p-limit';
import { unavailable } from '../../../errors.ts';

/**
 * The files of each organization that are being read or waiting. Only one of them is read at a time. Reading takes as long
 * as the client takes to send the file, so several at once would hold up other organizations.
 */
const queues = new Map<string, LimitFunction>();
const MAX_WAITING = 3;

/** @throws ServiceError 503 if too many files wait */
export async function inTurn<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(organizationId) ?? pLimit(1);
  queues.set(organizationId, queue);
  if (queue.pendingCount >= MAX_WAITING) {
    throw unavailable('Other files of your organization are being read. Try again in a minute.');
  }
  try {
    return await queue(work);
  } finally {
    if (queue.activeCount + queue.pendingCount === 0) queues.delete(organizationId);
  }
}
