/**
 * Requests ZIP codes for a brand. They go to the review queue, and only a reviewer makes them live (review.ts). What an
 * owner requests goes live at once, if the organization's owners need no review.
 */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../people/account/caller.ts';
import type { Tenant, TenantTransaction } from '../../people/account/tenant.ts';
import { notFound } from '../../errors.ts';
import { eventBrand, eventZips } from '../../people/events/catalog.ts';
import { recordEvent } from '../../people/events/events.ts';
import {
  explainMissing,
  groupByReason,
  formatMissing,
  missingBoundaries,
  type MissingGroup,
} from '../../data/market/missing-boundaries.ts';
import { joinFirst, pluralize } from '../../base/text/words.ts';
import { recordActivity } from '../../people/account/activity.ts';
import { needsNoReview } from '../../people/account/review-settings.ts';
import { lockBrands, type Brand } from './brands.ts';
import type { ZipState } from './brand-zips.ts';
import { mayOverlap } from './groups/allowed-overlaps.ts';
import { isGrouped, readRuleFacts, type ClaimTime } from './groups/facts.ts';
import { groupRefusals, type Naming, type RefusedZips } from './groups/refusal-words.ts';
import { afterLeaving, settleClaims, type Leaving } from './groups/rules.ts';
import { endsBefore, isNonExclusive } from './groups/terms-conditions.ts';
import { approveReviews } from './review.ts';
import { validateZips } from './validate-zips.ts';

/** The requested ZIP codes by outcome. Lists are sorted. */
export interface ApplyOutcome {
  /** ZIP codes that are now pending review, or live */
  queued: string[];
  /** Queued ZIP codes that go live at once, because their requester needs no review */
  live: string[];
  /** Queued ZIP codes that another brand of the organization holds too, unless a group allows it */
  shared: string[];
  alreadyLive: string[];
  alreadyPending: string[];
  /** ZIP codes in neither the boundaries nor the figures */
  unknown: string[];
  /** The same ZIP codes by the reason why they are unknown */
  unknownReasons: MissingGroup[];
  /** ZIP codes that a rule of a group refuses: another brand holds them, or they are reserved */
  refused: string[];
  /** The same ZIP codes by reason */
  refusedReasons: RefusedZips[];
}

interface RequestOptions {
  /** The requester. Default: someone whose requests need a review */
  by?: Actor | undefined;
  /** Brands whose names a refusal may contain. Default: only the brand itself */
  naming?: Naming | undefined;
  /** ZIP codes that the same change removes from brands */
  leaving?: Leaving | undefined;
  /** When they would go live. Default: now */
  time?: ClaimTime | undefined;
}

export interface Applied extends ApplyOutcome {
  /** Id that the reviews of this request share; null if nothing was queued */
  batchId: string | null;
}

/**
 * Returns what a request would do, without changing anything.
 * @throws ServiceError 400 for malformed, no, or too many ZIP codes; 404 if none is known
 */
export async function previewApply(
  tenant: Tenant,
  brand: Brand,
  zips: readonly string[],
  options: RequestOptions = {},
): Promise<ApplyOutcome> {
  const { outcome } = await planApply(tenant, brand, zips, options);
  return outcome;
}

interface ZipRequest extends Pick<RequestOptions, 'naming' | 'leaving' | 'time'> {
  zips: readonly string[];
  note?: string | undefined;
  /** The change that the request is part of, which decides when it goes live. Default: none */
  changeId?: string | undefined;
  /** An id for the reviews. Default: a new one */
  batchId?: string | undefined;
}

/** Requests ZIP codes. @throws as `previewApply` */
export async function applyZips(
  tx: TenantTransaction,
  actor: Actor,
  brand: Brand,
  { zips, note, changeId, batchId = randomUUID(), ...options }: ZipRequest,
): Promise<Applied> {
  lockBrands(tx, [brand.id]);
  const { outcome, before } = await planApply(tx, brand, zips, { ...options, by: actor });
  const { queued } = outcome;
  if (queued.length === 0) return { ...outcome, batchId: null };

  tx.defer(
    `insert into reviews
       (organization_id, brand_id, zip, batch_id, state_before, note, requested_by, change_id)
     select $1, $2, zip, $3, state_before, $4, $5, $8
     from unnest($6::text[], $7::text[]) as requested (zip, state_before)`,
    [brand.id, batchId, note, actor, queued, queued.map((zip) => before[zip]), changeId],
  );
  tx.defer(
    `insert into brand_zips (organization_id, brand_id, zip, state)
     select $1, $2, zip, 'pending' from unnest($3::text[]) as requested (zip)
     on conflict (brand_id, zip) do update set state = excluded.state, changed_at = statement_timestamp()`,
    [brand.id, queued],
  );
  recordActivity(tx, {
    actor,
    action: 'territory_applied',
    brandId: brand.id,
    summary: `Requested ${pluralize(queued.length, 'ZIP code')} for ${brand.name}: ${joinFirst(queued)}.`,
    zips: queued,
    before,
    after: Object.fromEntries(queued.map((zip) => [zip, 'pending'])),
    changeId,
  });
  // A change tells of its own requests, and makes them live together.
  if (changeId !== undefined) return { ...outcome, batchId };
  const live = outcome.live.length > 0 ? await approveOwn(tx, actor, brand, batchId) : [];
  // What is live has an event about its approval. The rest waits for a review.
  const isLive = new Set(live);
  const waiting = queued.filter((zip) => !isLive.has(zip));
  if (waiting.length > 0) {
    recordEvent(tx, {
      type: 'territory.requested',
      actor,
      brandId: brand.id,
      data: {
        brand: eventBrand(brand),
        ...eventZips(waiting),
        requestId: batchId,
        note: note?.trim() || null,
      },
    });
  }
  return { ...outcome, batchId, live };
}

/**
 * Approves an owner's own request. The rules of groups decide under a lock, as for all approvals.
 * @returns the ZIP codes that are now live
 */
async function approveOwn(
  tx: TenantTransaction,
  actor: Actor,
  { id }: Brand,
  batchId: string,
): Promise<string[]> {
  const owner = { actor, role: 'owner', brandScope: new Set([id]) } as const;
  const { decided } = await approveReviews(tx, owner, { batchId }, { isReviewed: false });
  return decided.map(({ zip }) => zip);
}

interface ApplyPlan {
  outcome: ApplyOutcome;
  /** State of each queued ZIP code, which a rejection restores */
  before: Record<string, 'removed' | null>;
}

interface RequestedZip {
  zip: string;
  known: boolean;
  /** Null if the brand has never held it */
  state: ZipState | null;
  shared: boolean;
  /** Whether the brand is in a group */
  grouped: boolean;
}

async function planApply(
  tenant: Tenant,
  brand: Brand,
  zips: readonly string[],
  options: RequestOptions,
): Promise<ApplyPlan> {
  const rows = await tenant.acrossBrands.query<RequestedZip>(
    `select requested.zip, zips.zip is not null as known, bz.state,
       exists (
         select from brand_zips other
         where other.organization_id = $1 and other.zip = requested.zip and other.brand_id <> $2
           and other.state <> 'removed' and not ${mayOverlap('$2', 'other.brand_id')}
           and not ${isNonExclusive('other.brand_id', 'other.zip')}
           and not exists (
             select from holding_terms t where t.organization_id = $1 and t.brand_id = other.brand_id
               and t.zip = other.zip and ${endsBefore('$7::date')})
           and (other.brand_id, other.zip) not in (
             select brand_id, zip from unnest($4::uuid[], $5::text[]) as leaving (brand_id, zip))
           and not exists (
             select from change_zips leaves join changes c on c.id = leaves.change_id
             where leaves.organization_id = $1 and leaves.is_open and leaves.part = 'removed'
               and leaves.brand_id = other.brand_id and leaves.zip = other.zip
               and c.status = 'scheduled' and c.due_at <= $6)) as shared,
       ${isGrouped('$2')} as grouped
     from unnest($3::text[]) as requested (zip)
     left join zips on zips.zip = requested.zip
     left join brand_zips bz
       on bz.organization_id = $1 and bz.brand_id = $2 and bz.zip = requested.zip
     order by requested.zip`,
    [
      brand.id,
      validateZips(zips),
      ...pairsOf(options.leaving),
      options.time?.on?.at,
      options.time?.on?.day,
    ],
  );
  const outcome: ApplyOutcome = {
    queued: [],
    live: [],
    shared: [],
    alreadyLive: [],
    alreadyPending: [],
    unknown: [],
    unknownReasons: [],
    refused: [],
    refusedReasons: [],
  };
  const before: ApplyPlan['before'] = {};
  const open = rows.filter(({ known, state }) => known && (state === null || state === 'removed'));
  const refused = open[0]?.grouped ? await refusedClaims(tenant, brand, open, options) : [];
  outcome.refused = refused.map(({ zip }) => zip);
  outcome.refusedReasons = groupRefusals(refused, options.naming ?? 'none');
  const isRefused = new Set(outcome.refused);
  for (const { zip, known, state, shared } of rows) {
    if (state === 'live') outcome.alreadyLive.push(zip);
    else if (state === 'pending') outcome.alreadyPending.push(zip);
    else if (!known) outcome.unknown.push(zip);
    else if (!isRefused.has(zip)) {
      outcome.queued.push(zip);
      before[zip] = state;
      if (shared) outcome.shared.push(zip);
    }
  }
  if (options.by && (await needsNoReview(tenant, options.by))) outcome.live = outcome.queued;
  if (outcome.unknown.length > 0) {
    const missing = await missingBoundaries(tenant.common, outcome.unknown);
    outcome.unknownReasons = groupByReason(missing);
    if (missing.length === 1 && rows.length === 1) throw notFound(explainMissing(missing[0]!));
    if (missing.length === rows.length) {
      throw notFound(
        `None of these ZIP codes can be part of a territory: ${formatMissing(outcome.unknownReasons)}. Check them, or choose others.`,
      );
    }
  }
  return { outcome, before };
}

/** The ids of brands and the ZIP codes that they give up, as two lists */
function pairsOf(leaving: Leaving = new Map()): [string[], string[]] {
  const pairs = [...leaving].flatMap(([id, zips]) => [...zips].map((zip) => [id, zip] as const));
  return [pairs.map(([id]) => id), pairs.map(([, zip]) => zip)];
}

/** The ZIP codes that a rule refuses. A request that no one has approved doesn't block others. */
async function refusedClaims(
  tenant: Tenant,
  brand: Brand,
  requested: readonly Pick<RequestedZip, 'zip'>[],
  { leaving, time }: RequestOptions,
) {
  const zips = requested.map(({ zip }) => zip);
  const facts = await readRuleFacts(tenant, [brand.id], zips, time);
  const claims = zips.map((zip) => ({ brand, zip }));
  return settleClaims(claims, leaving ? afterLeaving(facts, leaving) : facts).refused;
}
