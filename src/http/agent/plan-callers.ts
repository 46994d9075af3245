/** Who may read and change plans. */
import { requireAccess, requireWrite } from '../../account/access.ts';
import type { Caller } from '../../account/caller.ts';
import { requireAllBrands } from '../../plans/plans.ts';
import { AGENTS } from './shared.ts';

/** What all operations on plans have in common */
export const PLANS = { ...AGENTS, tag: 'Plans', limit: 'plans' } as const;

/** @throws ServiceError 402, 403 unless the caller may read plans */
export function readerOf(caller: unknown): Caller {
  requireAccess(caller as Caller);
  requireAllBrands(caller as Caller);
  return caller as Caller;
}

/** @throws as `readerOf`, and 403 for callers without write access */
export function writerOf(caller: unknown): Caller {
  requireWrite(readerOf(caller));
  return caller as Caller;
}
