/**
 * Decides on changes as one. A reviewer may leave out parts, with a reason each; the rest goes live together: at once,
 * or on its day.
 */
import type { TenantTransaction } from '../../../people/account/tenant.ts';
import { badRequest, conflict } from '../../../errors.ts';
import { group as groupBy } from 'd3-array';
import { joinFirst } from '../../../base/text/words.ts';
import { listRefusals } from '../groups/refusal-words.ts';
import { applyDecision, closeReviews, requireReviewer, type Reviewer } from '../review.ts';
import { closeParts, goLive } from './go-live.ts';
import { findChange, requireWhole, type Change } from './read.ts';
import { lockChange, obstaclesUnderLock, openParts, type OpenParts } from './settle.ts';
import { tellScheduled } from './tell.ts';

/** A part that a reviewer leaves out */
export interface LeftOut {
  /** Id of the brand */
  brandId: string;
  zip: string;
  reason: string;
}

/**
 * Approves a change, which goes live now or on its day.
 * @throws ServiceError 403 `role_required`, `brand_out_of_scope`; 404; 409 if it doesn't wait for a review, or if
 *   something keeps it from going live; 400 if all of it would be left out
 */
export async function approveChange(
  tx: TenantTransaction,
  reviewer: Reviewer,
  id: string,
  leftOut: readonly LeftOut[] = [],
): Promise<Change> {
  const { change, parts: all, isDue } = await lockWaiting(tx, reviewer, id);
  const { actor } = reviewer;
  const { parts, refused } = split(all, leftOut);
  if (parts.added.length + parts.removed.length === 0) {
    throw badRequest(
      'No ZIP code of the change would be left. Reject the change, or leave out fewer ZIP codes.',
    );
  }
  await leaveOut(tx, reviewer, id, refused, leftOut);
  const on = change.on !== null && !isDue ? { day: change.on, at: change.dueAt! } : null;
  const reasons = await obstaclesUnderLock(tx, parts, { on, change: id, countsPlanned: true });
  if (reasons.length > 0) {
    throw conflict(
      `The change was not approved: ${listRefusals(reasons)}. ` +
        'Leave out these ZIP codes, or resolve the reason first: a change goes live as one.',
    );
  }
  tx.acrossBrands.defer(
    `update changes set decided_by = $3, decided_at = statement_timestamp(),
       status = case when $4 then 'scheduled' else status end
     where organization_id = $1 and id = $2`,
    [id, actor, on !== null],
  );
  if (on) {
    closeReviews(tx, actor, parts.added, { status: 'approved', reason: null });
    tellScheduled(tx, actor, id, parts, { on: on.day });
  } else {
    await goLive(tx, actor, parts, { changeId: id, note: change.note, isReviewed: true });
  }
  return findChange(tx, reviewer.brandScope, id);
}

/**
 * Rejects a change. Territories stay as they are.
 * @throws ServiceError 400 without a reason; 403, 404, and 409 as `approveChange`
 */
export async function rejectChange(
  tx: TenantTransaction,
  reviewer: Reviewer,
  id: string,
  reason: string,
): Promise<Change> {
  if (reason.trim() === '') throw badRequest('Give the requester a reason for the rejection.');
  const { parts } = await lockWaiting(tx, reviewer, id);
  const decision = { status: 'rejected', reason: reason.trim(), changeId: id } as const;
  closeReviews(tx, reviewer.actor, parts.added, decision);
  await applyDecision(tx, reviewer.actor, parts.added, decision);
  tx.acrossBrands.defer(
    `update changes set status = 'rejected', reason = $3, decided_by = $4,
       decided_at = statement_timestamp()
     where organization_id = $1 and id = $2`,
    [id, decision.reason, reviewer.actor],
  );
  closeParts(tx, id);
  return findChange(tx, reviewer.brandScope, id);
}

async function lockWaiting(
  tx: TenantTransaction,
  reviewer: Reviewer,
  id: string,
): Promise<{ change: Change; parts: OpenParts; isDue: boolean }> {
  requireReviewer(reviewer);
  requireWhole(await findChange(tx, reviewer.brandScope, id));
  const { status, isDue } = await lockChange(tx, id);
  const change = await findChange(tx, reviewer.brandScope, id);
  if (status !== 'waiting') {
    throw conflict(`The change isn’t waiting for a review: it’s ${status}. Reload it.`);
  }
  return { change, parts: await openParts(tx, id), isDue };
}

/** Splits parts into those that stay and the requests and removals that are left out. */
function split(all: OpenParts, leftOut: readonly LeftOut[]) {
  const out = new Set(leftOut.map(({ brandId, zip }) => `${brandId} ${zip}`));
  const isOut = ({ brand, zip }: { brand: { id: string }; zip: string }) =>
    out.has(`${brand.id} ${zip}`);
  const isIn = (one: Parameters<typeof isOut>[0]) => !isOut(one);
  const refused = { added: all.added.filter(isOut), removed: all.removed.filter(isOut) };
  const known = new Set(
    [...refused.added, ...refused.removed].map(({ brand, zip }) => `${brand.id} ${zip}`),
  );
  const unknown = leftOut.filter(({ brandId, zip }) => !known.has(`${brandId} ${zip}`));
  if (unknown.length > 0) {
    throw badRequest(
      `These ZIP codes aren’t part of the change for that brand: ${joinFirst(unknown.map(({ zip }) => zip))}. Reload the change.`,
    );
  }
  const parts: OpenParts = {
    added: all.added.filter(isIn),
    removed: all.removed.filter(isIn),
    lost: all.lost,
  };
  return { parts, refused };
}

/** Rejects parts, each with its own reason. */
async function leaveOut(
  tx: TenantTransaction,
  { actor }: Reviewer,
  changeId: string,
  refused: Pick<OpenParts, 'added' | 'removed'>,
  leftOut: readonly LeftOut[],
): Promise<void> {
  if (leftOut.length === 0) return;
  const reasonOf = new Map(
    leftOut.map(({ brandId, zip, reason }) => {
      if (reason.trim() === '') {
        throw badRequest(`Give the requester a reason for leaving out ${zip}.`);
      }
      return [`${brandId} ${zip}`, reason.trim()] as const;
    }),
  );
  const byReason = groupBy(refused.added, ({ brand, zip }) => reasonOf.get(`${brand.id} ${zip}`)!);
  for (const [reason, reviews] of byReason) {
    const decision = { status: 'rejected', reason, changeId } as const;
    closeReviews(tx, actor, reviews, decision);
    await applyDecision(tx, actor, reviews, decision);
  }
  tx.defer(
    `update change_zips cz set is_open = false, refused = left_out.reason
     from unnest($3::uuid[], $4::text[], $5::text[]) as left_out (brand_id, zip, reason)
     where cz.organization_id = $1 and cz.change_id = $2 and cz.brand_id = left_out.brand_id
       and cz.zip = left_out.zip`,
    [
      changeId,
      leftOut.map(({ brandId }) => brandId),
      leftOut.map(({ zip }) => zip),
      leftOut.map(({ reason }) => reason.trim()),
    ],
  );
}
