/** Declarations shared by the operations for one organization. */
import type { Caller } from '../../account/caller.ts';
import { requireMeteredAccess } from '../../metering/require-access.ts';
import { exactQuery } from '../../contract/exact-query.ts';

export const AGENTS = {
  tag: 'Agents',
  auth: 'bearer-or-session',
  limit: 'agent',
  /** Operations that declare no parameters refuse all parameters. */
  query: exactQuery({}),
} as const;

export const NO_STORE = { 'Cache-Control': 'no-store' };

/** For content that's the same for every caller */
export const PRIVATE_FOR_A_DAY = { 'Cache-Control': 'private, max-age=86400' };

/**
 * Returns the caller of an operation that costs no units.
 * @throws ServiceError 402 with the meter, without an active subscription
 */
export async function readerOf(caller: unknown): Promise<Caller> {
  await requireMeteredAccess(caller as Caller);
  return caller as Caller;
}
