/** Checks whether a caller may read or change plans. */
import { requireWrite } from '../../account/access.ts';
import type { Caller } from '../../account/caller.ts';
import { requireMeteredAccess } from '../../metering/require-access.ts';
import { requireAllBrands } from '../../plans/plans.ts';
import { AGENTS } from './shared.ts';

/** Declarations shared by all operations on plans */
export const PLANS = { ...AGENTS, tag: 'Plans', limit: 'plans' } as const;

/** @throws ServiceError 402 with the meter, 403 unless the caller may read plans */
export async function readerOf(caller: unknown): Promise<Caller> {
  await requireMeteredAccess(caller as Caller);
  requireAllBrands(caller as Caller);
  return caller as Caller;
}

/** @throws as `readerOf`, and 403 for callers without write access */
export async function writerOf(caller: unknown): Promise<Caller> {
  const reader = await readerOf(caller);
  requireWrite(reader);
  return reader;
}
