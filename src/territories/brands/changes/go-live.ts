/** Makes a change live: all of its additions and removals in one transaction, or none of them. */
import type { Actor } from '../../../people/account/caller.ts';
import type { TenantTransaction } from '../../../people/account/tenant.ts';
import { formatDay } from '../groups/refusal-words.ts';
import { removeZips, type Removed } from '../remove.ts';
import { applyDecision, closeReviews } from '../review.ts';
import type { OpenParts } from './settle.ts';
import { byBrand } from './tell.ts';

export interface WentLive {
  /** The removal of each brand that gave up ZIP codes, by the brand's id */
  removed: Map<string, Removed>;
}

interface LiveOptions {
  changeId: string;
  /** Reason of the removals */
  note: string | null;
  /** The day for which it was planned, if that has come */
  plannedFor?: string | null | undefined;
  /** Whether a person has decided on the requests. Default: they need no review, or were reviewed before */
  isReviewed: boolean;
}

/**
 * Gives and takes all ZIP codes of a change whose parts were settled in this transaction (`obstaclesUnderLock`).
 * @param actor who decided it
 */
export async function goLive(
  tx: TenantTransaction,
  actor: Actor,
  { added, removed }: OpenParts,
  { changeId, note, plannedFor, isReviewed }: LiveOptions,
): Promise<WentLive> {
  const all = tx.acrossBrands;
  const wentLive: WentLive = { removed: new Map() };
  // Removals come first: what a brand gives up, another one may get.
  for (const { brand, removed: zips } of byBrand({ added: [], removed })) {
    const reason = note ?? undefined;
    const removal = { zips, reason, changeId, isAnyNumber: true };
    wentLive.removed.set(brand.id, await removeZips(all, actor, brand, removal));
  }
  if (!plannedFor) closeReviews(all, actor, added, { status: 'approved', reason: null });
  await applyDecision(all, actor, added, {
    status: 'approved',
    reason: null,
    isReviewed,
    changeId,
    ...(plannedFor ? { asPlannedFor: formatDay(plannedFor) } : {}),
  });
  all.defer(
    `update changes set status = 'live', live_at = statement_timestamp(), reason = null
     where organization_id = $1 and id = $2`,
    [changeId],
  );
  closeParts(all, changeId);
  return wentLive;
}

/** Ends the waiting of a change's ZIP codes, which other changes can include then. */
export const closeParts = (tx: TenantTransaction, changeId: string): void =>
  tx.acrossBrands.defer(
    `update change_zips set is_open = false
     where organization_id = $1 and change_id = $2 and is_open`,
    [changeId],
  );
