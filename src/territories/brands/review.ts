/**
 * Reviews of requested ZIP codes. Keys and tools can request ZIP codes and read the queue, but only a person with the
 * required role can decide. What needs no review is approved in the name of its requester (apply.ts).
 */
import { requireRole, REVIEWERS } from '../../people/account/access.ts';
import type { Actor, BrandScope, Caller } from '../../people/account/caller.ts';
import type { TenantTransaction } from '../../people/account/tenant.ts';
import { badRequest, conflict, notFound } from '../../errors.ts';
import { eventBrand, eventZips } from '../../people/events/catalog.ts';
import { recordEvent } from '../../people/events/events.ts';
import { group as groupBy } from 'd3-array';
import { joinFirst, pluralize } from '../../base/text/words.ts';
import { insertActivity } from '../../people/account/activity.ts';
import { brandIdsInScope, lockBrands, type Brand } from './brands.ts';
import type { ReviewStatus } from './brand-zips.ts';
import { settleUnderLock } from './groups/facts.ts';
import { explainRefusal, groupRefusals, listRefusals } from './groups/refusal-words.ts';
import { BRAND_JSON } from './named-brands.ts';

/** The author of a decision: a person with a role, or an operator without one */
export type Reviewer = Pick<Caller, 'actor' | 'role' | 'brandScope'>;

/** Selects reviews by id, or the pending reviews that match all other fields. */
export interface ReviewChoice {
  ids?: readonly string[] | undefined;
  batchId?: string | undefined;
  brandId?: string | undefined;
  zips?: readonly string[] | undefined;
}

export interface Decided {
  /** Reviews decided now, ordered by ZIP code */
  decided: ReviewedZip[];
  /** Reviews selected by id that were decided or withdrawn earlier, ordered by ZIP code */
  notOpen: ReviewedZip[];
  /** Reviews that a rule of a group keeps from being approved. They stay pending. Ordered by ZIP code */
  refused: RefusedReview[];
  /** Ids of the activity entries, one per brand */
  entries: number[];
}

interface ReviewedZip {
  id: string;
  brand: Brand;
  zip: string;
  /** Current status */
  status: ReviewStatus;
}

export interface RefusedReview extends ReviewedZip {
  /** A phrase: `held by North, and the group "Franchisees" blocks overlaps` */
  reason: string;
}

/**
 * Approves reviews, which makes their ZIP codes live. @throws as `decide`, and 409 if the rules of groups refuse all of
 * them
 */
export const approveReviews = (
  tx: TenantTransaction,
  reviewer: Reviewer,
  choice: ReviewChoice,
  /** Whether a reviewer has looked at them, as the activity log says */
  { isReviewed = true } = {},
): Promise<Decided> =>
  decide(tx, reviewer, choice, { status: 'approved', reason: null, isReviewed });

/** Rejects reviews, which restores the state of their ZIP codes before the request. @throws as `decide` */
export async function rejectReviews(
  tx: TenantTransaction,
  reviewer: Reviewer,
  choice: ReviewChoice,
  reason: string,
): Promise<Decided> {
  if (reason.trim() === '') throw badRequest('Give the requester a reason for the rejection.');
  return decide(tx, reviewer, choice, { status: 'rejected', reason: reason.trim() });
}

export type Decision = (
  | {
      status: 'approved';
      reason: null;
      isReviewed: boolean;
      /** The day on which an approved change goes live, which is today: `January 1, 2027` */
      asPlannedFor?: string | undefined;
    }
  | { status: 'rejected'; reason: string }
) & { /** The change that is decided */ changeId?: string | undefined };

/** Stores a decision on reviews, without its effect on territories. */
export function closeReviews(
  tx: TenantTransaction,
  actor: Actor,
  reviews: readonly Pick<OpenReview, 'id'>[],
  { status, reason }: { status: ReviewStatus; reason: string | null },
): void {
  tx.defer(
    `update reviews set status = $3, reason = $4, decided_by = $5, decided_at = statement_timestamp()
     where organization_id = $1 and id = any($2::uuid[])`,
    [reviews.map(({ id }) => id), status, reason, actor],
  );
}

/**
 * Makes ZIP codes live, or as they were before the request, and tells of it.
 * @returns the ids of the activity entries, one per brand
 */
export async function applyDecision(
  tx: TenantTransaction,
  actor: Actor,
  reviews: readonly OpenReview[],
  decision: Decision,
): Promise<number[]> {
  const after = decision.status === 'approved' ? () => 'live' as const : stateBefore;
  const entries: number[] = [];
  for (const ofBrand of groupBy(reviews, ({ brand }) => brand.id).values()) {
    applyStates(tx, ofBrand, after);
    entries.push(await recordDecision(tx, actor, ofBrand, decision, after));
  }
  return entries;
}

/**
 * @throws ServiceError 403 role_required for a key or a person without the role; 400 if no reviews
 *   are named; 404 if none matches within the scope; 409 if none of them is pending
 */
async function decide(
  tx: TenantTransaction,
  reviewer: Reviewer,
  choice: ReviewChoice,
  decision: Decision,
): Promise<Decided> {
  requireReviewer(reviewer);
  const chosen = await lockChosen(tx, reviewer.brandScope, choice);
  const pending = chosen.filter(({ status }) => status === 'pending');
  const inChange = pending.filter((review) => review.inChange);
  if (inChange.length > 0) {
    throw conflict(
      `${joinFirst(inChange.map(({ zip }) => zip))}: part of a change, which is decided as one. Decide on it under Review › Changes.`,
    );
  }
  const notOpen = chosen.filter(({ status }) => status !== 'pending');
  if (pending.length === 0) {
    const done = notOpen.map(({ zip, status, by }) => `${zip} (${status} by ${by})`);
    throw conflict(`Already decided or withdrawn: ${joinFirst(done)}. Reload the review queue.`);
  }
  const refused = decision.status === 'approved' ? await refusedApprovals(tx, pending) : [];
  const isRefused = new Set(refused.map(({ id }) => id));
  const open = pending.filter(({ id }) => !isRefused.has(id));

  closeReviews(tx, reviewer.actor, open, decision);
  const entries = await applyDecision(tx, reviewer.actor, open, decision);
  const toReviewedZip = ({ id, brand, zip, status }: ChosenReview) => ({ id, brand, zip, status });
  return {
    decided: open.map((review) => ({ ...toReviewedZip(review), status: decision.status })),
    notOpen: notOpen.map(toReviewedZip),
    refused,
    entries,
  };
}

/** @throws ServiceError 403 role_required for a key or a person without the role */
export function requireReviewer({ actor, role }: Reviewer): void {
  if (actor.kind === 'operator') return;
  requireRole({ role: actor.kind === 'person' ? role : null }, REVIEWERS);
}

/** A review with what a decision needs */
export interface OpenReview {
  id: string;
  brand: Brand;
  zip: string;
  batchId: string;
  /** The state of the ZIP code before the request */
  stateBefore: 'removed' | null;
}

interface ChosenReview extends OpenReview, ReviewedZip {
  requestedAt: Date;
  /** Reviewer or operator; null while pending */
  by: string | null;
  /** Whether it's part of a change, which is decided as one */
  inChange: boolean;
}

const stateBefore = (review: OpenReview) => review.stateBefore;

/** Locks the brands of the chosen reviews and returns the reviews. */
async function lockChosen(
  tx: TenantTransaction,
  scope: BrandScope,
  { ids, batchId, brandId, zips }: ReviewChoice,
): Promise<ChosenReview[]> {
  if (!(ids ?? batchId ?? brandId)) {
    throw badRequest('Name the reviews by id, by batch, or by brand with optional ZIP codes.');
  }
  const matches = `r.organization_id = $1
    and ($2::uuid[] is null or r.brand_id = any($2))
    and ($3::text[] is null or r.id::text = any($3))
    and ($4::uuid is null or r.batch_id = $4)
    and ($5::uuid is null or r.brand_id = $5)
    and ($6::text[] is null or r.zip = any($6))
    and ($3::text[] is not null or r.status = 'pending' and ($4::uuid is not null or r.change_id is null))`;
  const values = [brandIdsInScope(scope), ids, batchId, brandId, zips];

  const brands = await tx.query<{ id: string }>(
    `select distinct r.brand_id as id from reviews r where ${matches}`,
    values,
  );
  const brandIds = brands.map(({ id }) => id);
  lockBrands(tx, brandIds);
  const chosen = await tx.query<ChosenReview>(
    `select r.id, r.batch_id as "batchId", r.zip, r.status, r.state_before as "stateBefore",
       r.decided_by->>'name' as by, r.requested_at as "requestedAt",
       r.change_id is not null as "inChange",
       ${BRAND_JSON} as brand
     from reviews r join brands b on b.id = r.brand_id
     where ${matches} and r.brand_id = any($7::uuid[])
     order by r.zip, r.id`,
    [...values, brandIds],
  );
  if (chosen.length === 0) {
    throw notFound('No pending review matches. List the review queue to see what is pending.');
  }
  return chosen;
}

/**
 * Returns the reviews that the rules of groups refuse to approve, ordered by ZIP code. Of two requests for a ZIP code
 * that a group gives to one brand only, the earlier one is approved.
 * @throws ServiceError 409 if they refuse all
 */
async function refusedApprovals(
  tx: TenantTransaction,
  pending: readonly ChosenReview[],
): Promise<RefusedReview[]> {
  const { allowed, refused } = await settleUnderLock(
    tx,
    pending.toSorted((a, b) => Number(a.requestedAt) - Number(b.requestedAt)),
  );
  if (allowed.length === 0) {
    throw conflict(
      `Nothing was approved: ${listRefusals(groupRefusals(refused))}. ` +
        'Reject these requests, or remove the ZIP codes from the other brand first.',
    );
  }
  return refused
    .map(({ id, brand, zip, status, refusal }) => {
      return { id, brand, zip, status, reason: explainRefusal(refusal) };
    })
    .sort((a, b) => (a.zip < b.zip ? -1 : 1));
}

type StateAfter = (review: OpenReview) => 'live' | 'removed' | null;

/** Returns ZIP codes of one brand to the state before their requests. */
export const restoreStates = (tx: TenantTransaction, reviews: readonly OpenReview[]): void =>
  applyStates(tx, reviews, stateBefore);

/** Sets the states of one brand's ZIP codes. Null deletes a ZIP code that the brand had never held. */
function applyStates(
  tx: TenantTransaction,
  reviews: readonly OpenReview[],
  after: StateAfter,
): void {
  const brandId = reviews[0]!.brand.id;
  tx.defer(
    `update brand_zips bz set state = decided.state, changed_at = statement_timestamp()
     from unnest($3::text[], $4::text[]) as decided (zip, state)
     where bz.organization_id = $1 and bz.brand_id = $2 and bz.zip = decided.zip
       and decided.state is not null`,
    [brandId, reviews.map(({ zip }) => zip), reviews.map(after)],
  );
  tx.defer(
    `delete from brand_zips
     where organization_id = $1 and brand_id = $2 and zip = any($3)`,
    [brandId, reviews.filter((review) => after(review) === null).map(({ zip }) => zip)],
  );
}

async function recordDecision(
  tx: TenantTransaction,
  actor: Actor,
  reviews: readonly OpenReview[],
  decision: Decision,
  after: StateAfter,
): Promise<number> {
  const { brand } = reviews[0]!;
  const zips = reviews.map(({ zip }) => zip);
  const about = {
    brand: eventBrand(brand),
    ...eventZips(zips),
    requestIds: [...new Set(reviews.map(({ batchId }) => batchId))],
    ...(decision.changeId === undefined ? {} : { changeId: decision.changeId }),
  };
  recordEvent(tx, {
    actor,
    brandId: brand.id,
    ...(decision.status === 'approved'
      ? { type: 'territory.approved', data: about }
      : { type: 'territory.rejected', data: { ...about, reason: decision.reason } }),
  });
  const which = `${pluralize(zips.length, 'ZIP code')} of ${brand.name}: ${joinFirst(zips)}`;
  return insertActivity(tx, {
    actor,
    action: decision.status === 'approved' ? 'territory_approved' : 'territory_rejected',
    brandId: brand.id,
    summary:
      decision.status === 'rejected'
        ? `Rejected ${which}. Reason: ${decision.reason}`
        : decision.asPlannedFor
          ? `Made live, as planned for ${decision.asPlannedFor}, ${which}.`
          : `Approved ${which}${decision.isReviewed ? '' : ', without a review'}.`,
    zips,
    before: Object.fromEntries(zips.map((zip) => [zip, 'pending'])),
    after: Object.fromEntries(reviews.map((review) => [review.zip, after(review)])),
    changeId: decision.changeId,
  });
}
