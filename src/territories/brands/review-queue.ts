/**
 * The review queue: pending requests with their requester, note, and flagged ZIP codes.
 */
import { z } from 'zod';
import type { Actor, BrandScope } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import { badRequest } from '../../errors.ts';
import { group as groupBy } from 'd3-array';
import {
  Moment,
  momentText,
  pageOf,
  rowsToRead,
  startAfter,
  type PageRequest,
} from '../../base/contract/paging.ts';
import { bboxAround, COUNTRY, type Bbox } from '../../base/spatial/bbox.ts';
import { formatCount } from '../../base/text/words.ts';
import { actorItself, actorKeyOf } from './actor-key.ts';
import { brandIdsInScope, isInScope, type Brand } from './brands.ts';
import type { ReviewStatus } from './brand-zips.ts';
import { readRuleFacts } from './groups/facts.ts';
import { explainRefusal } from './groups/refusal-words.ts';
import { refusalOf, settleClaims, type Claim } from './groups/rules.ts';
import { IS_ISOLATED, IS_SHARED, OTHER_HOLDER_NAMES, otherHoldersJson } from './held-conditions.ts';
import { BBOX } from '../../data/market/zips.ts';
import { BRAND_JSON } from './named-brands.ts';

export interface QueueFilter {
  brandId?: string | undefined;
  /** An `actorKey` */
  requester?: string | undefined;
  /** USPS code */
  state?: string | undefined;
  /** Time before which the ZIP codes were requested */
  before?: Date | undefined;
}

export interface PendingZip {
  /** Id of the review */
  id: string;
  zip: string;
  city: string | null;
  /** USPS code */
  state: string | null;
  /** Other brands that hold it, by slug */
  sharedWith: Brand[];
  /** Whether the brand holds none of its neighbors, live or pending */
  isolated: boolean;
  hasBoundary: boolean;
  /** Why a rule of a group keeps it from being approved now, as a phrase; null if none does */
  blocked: string | null;
}

/** The pending ZIP codes of one request */
export interface PendingRequest {
  batchId: string;
  brand: Brand;
  requestedBy: Actor;
  requestedAt: Date;
  note: string | null;
  /** Number of the request's pending ZIP codes that match the filter, on all pages */
  total: number;
  /** ZIP codes on this page */
  zips: PendingZip[];
}

export interface PendingPage {
  requests: PendingRequest[];
  /** Number of pending ZIP codes that match the filter, on all pages; 0 on an empty page */
  total: number;
  nextCursor: string | null;
}

/**
 * SQL condition on a row `r` of reviews joined with `zips`; `filterValues` start at `$2`. Requests of changes are decided
 * with their change.
 */
const PASSES = `r.organization_id = $1 and r.change_id is null
  and ($2::uuid[] is null or r.brand_id = any($2))
  and ($3::text is null or r.brand_id::text = $3)
  and ($4::text is null or ${actorKeyOf('r.requested_by')} = $4)
  and ($5::text is null or zips.state = $5)
  and ($6::timestamptz is null or r.requested_at < $6)`;

const filterValues = (scope: BrandScope, { brandId, requester, state, before }: QueueFilter) => [
  brandIdsInScope(scope),
  brandId,
  requester,
  state,
  before,
];

/** SQL that makes a pending review `r` the row `bz` of the conditions, because its brand holds the ZIP code */
const AS_HELD_ZIP = 'cross join lateral (select r.brand_id, r.zip) bz';

type PendingRow = Omit<PendingZip, 'blocked'> &
  Omit<PendingRequest, 'total' | 'zips'> & { moment: string; inRequest: number; inQueue: number };

/** Returns a page of pending ZIP codes grouped by request, oldest first. */
export async function pendingRequests(
  tenant: Tenant,
  scope: BrandScope,
  filter: QueueFilter,
  page: PageRequest = {},
): Promise<PendingPage> {
  const after = startAfter(page, z.tuple([Moment, z.string(), z.uuid()]));
  // Flags are computed only for the rows of the page.
  const rows = await tenant.acrossBrands.query<PendingRow>(
    `select r.*, ${BRAND_JSON} as brand, ${otherHoldersJson()} as "sharedWith",
       ${IS_ISOLATED} as isolated
     from (
       select * from (
         select r.id, r.batch_id as "batchId", r.brand_id, r.zip, zips.city, zips.state,
           zips.bbox is not null as "hasBoundary", r.note,
           r.requested_by as "requestedBy", r.requested_at as "requestedAt",
           ${momentText('r.requested_at')} as moment,
           count(*) over (partition by r.batch_id) as "inRequest", count(*) over () as "inQueue"
         from reviews r left join zips on zips.zip = r.zip
         where ${PASSES} and r.status = 'pending') pending
       where $7::timestamptz is null or ("requestedAt", zip, id) > ($7, $8::text, $9::uuid)
       order by "requestedAt", zip, id limit $10) r
     join brands b on b.id = r.brand_id
     ${AS_HELD_ZIP}
     order by r."requestedAt", r.zip, r.id`,
    [...filterValues(scope, filter), ...(after ?? [null, null, null]), rowsToRead(page)],
  );
  const { rows: read, nextCursor } = pageOf(rows, page, (r) => [r.moment, r.zip, r.id]);
  const blocked = await blockedReasons(tenant, read);
  const kept = read.map((row) => ({ ...row, blocked: blocked.get(row.id) ?? null }));
  const requests = Array.from(groupBy(kept, ({ batchId }) => batchId).values(), requestOf);
  return { requests, total: rows[0]?.inQueue ?? 0, nextCursor };
}

export type WaitingRequest = Omit<PendingRequest, 'zips'>;

/** Returns the requests that wait for a review, without their ZIP codes, oldest first. */
export const waitingRequests = (
  tenant: Tenant,
  scope: BrandScope,
  filter: QueueFilter,
  limit: number,
): Promise<WaitingRequest[]> =>
  tenant.query<WaitingRequest>(
    `select r.batch_id as "batchId", ${BRAND_JSON} as brand, r.requested_by as "requestedBy",
       r.requested_at as "requestedAt", r.note, count(*)::int as total
     from reviews r
     join brands b on b.id = r.brand_id
     left join zips on zips.zip = r.zip
     where ${PASSES} and r.status = 'pending'
     group by r.batch_id, b.id, r.requested_by, r.requested_at, r.note
     order by r.requested_at, r.batch_id limit $7`,
    [...filterValues(scope, filter), limit],
  );

/**
 * Returns why the rules of groups keep pending reviews from being approved now, as phrases by the review's id. Reviews
 * that can be approved are missing.
 */
export async function blockedReasons(
  tenant: Tenant,
  pending: readonly (Claim & { id: string })[],
): Promise<Map<string, string>> {
  if (pending.length === 0) return new Map();
  const facts = await factsOf(tenant, pending);
  return new Map(
    pending.flatMap((review) => {
      const refusal = refusalOf(review, facts);
      return refusal ? [[review.id, explainRefusal(refusal)] as const] : [];
    }),
  );
}

const factsOf = (tenant: Tenant, claims: readonly Claim[]) =>
  readRuleFacts(
    tenant,
    [...new Set(claims.map(({ brand }) => brand.id))],
    [...new Set(claims.map(({ zip }) => zip))],
  );

function requestOf(rows: readonly (PendingRow & PendingZip)[]): PendingRequest {
  const { batchId, brand, requestedBy, requestedAt, note, inRequest } = rows[0]!;
  const zips = rows.map(({ id, zip, city, state, sharedWith, isolated, hasBoundary, blocked }) => {
    return { id, zip, city, state, sharedWith, isolated, hasBoundary, blocked };
  });
  return { batchId, brand, requestedBy, requestedAt, note, total: inRequest, zips };
}

/** Returns all pending ZIP codes that match the filter, for a map. */
export async function pendingZips(
  tenant: Tenant,
  scope: BrandScope,
  filter: QueueFilter,
): Promise<MapReview[]> {
  return tenant.acrossBrands.query<MapReview>(
    `select r.batch_id as "batchId", r.zip, ${BRAND_JSON} as brand, r.requested_by as "requestedBy",
       ${IS_ISOLATED} as isolated,
       case when zips.bbox is not null then ${BBOX} end as bbox,
       ${OTHER_HOLDER_NAMES} as "sharedWith"
     from reviews r
     join brands b on b.id = r.brand_id
     ${AS_HELD_ZIP}
     left join zips on zips.zip = r.zip
     where ${PASSES} and r.status = 'pending'
     order by r.requested_at, r.zip, r.id`,
    filterValues(scope, filter),
  );
}

interface MapReview {
  batchId: string;
  zip: string;
  brand: Brand;
  requestedBy: Actor;
  isolated: boolean;
  /** Null without a boundary */
  bbox: Bbox | null;
  /** Names of the other brands that hold it, sorted */
  sharedWith: string[];
}

/** Returns the live ZIP codes of brands, sorted. */
export async function liveZips(tenant: Tenant, brandIds: readonly string[]): Promise<string[]> {
  const rows = await tenant.query<{ zip: string }>(
    `select distinct zip from brand_zips
     where organization_id = $1 and brand_id = any($2::uuid[]) and state = 'live' order by zip`,
    [brandIds],
  );
  return rows.map(({ zip }) => zip);
}

/**
 * Returns the bounding box of all pending ZIP codes that match the filter, or of the country if none has a boundary,
 * and the number of ZIP codes without a boundary.
 */
export async function queueExtent(
  tenant: Tenant,
  scope: BrandScope,
  filter: QueueFilter,
): Promise<{ bbox: Bbox; withoutBoundary: number }> {
  const rows = await tenant.query<{ bbox: Bbox | null }>(
    `select distinct r.zip, case when zips.bbox is not null then ${BBOX} end as bbox
     from reviews r left join zips on zips.zip = r.zip
     where ${PASSES} and r.status = 'pending'`,
    filterValues(scope, filter),
  );
  const boxes = rows.flatMap(({ bbox }) => (bbox ? [bbox] : []));
  return {
    bbox: boxes.length === 0 ? COUNTRY : bboxAround(boxes),
    withoutBoundary: rows.length - boxes.length,
  };
}

/** Number of pending ZIP codes of a brand, requester, and state */
export interface QueuePart {
  brand: Brand;
  /** The person or key, regardless of the connector */
  requestedBy: Actor;
  /** USPS code; null if unknown */
  state: string | null;
  zips: number;
}

const REQUESTER = actorItself('r.requested_by');

export const queueParts = (tenant: Tenant, scope: BrandScope): Promise<QueuePart[]> =>
  tenant.query<QueuePart>(
    `select ${BRAND_JSON} as brand, ${REQUESTER} as "requestedBy", zips.state, count(*) as zips
     from reviews r
     join brands b on b.id = r.brand_id
     left join zips on zips.zip = r.zip
     where r.organization_id = $1 and r.status = 'pending' and r.change_id is null
       and ($2::uuid[] is null or r.brand_id = any($2))
     group by b.id, ${REQUESTER}, zips.state order by b.slug, ${REQUESTER}->>'name', zips.state`,
    [brandIdsInScope(scope)],
  );

/** A reviewer's selection in the queue: the union of its parts */
export interface QueueSelection {
  /** Ids of reviews with any status */
  ids: readonly string[];
  /** Pending ZIP codes selected on a map, with their request */
  picked: readonly (readonly [batchId: string, zip: string])[];
  /** Whole requests: their pending ZIP codes that match the filter */
  batchIds: readonly string[];
  /** Whether all pending ZIP codes that match the filter are selected */
  all: boolean;
}

export interface ChosenReview {
  id: string;
  batchId: string;
  zip: string;
  brand: Brand;
  status: ReviewStatus;
  shared: boolean;
  isolated: boolean;
  /** Why a rule of a group keeps it from being approved with the others, as a phrase; null if none does */
  blocked: string | null;
  /** The brands within the scope that keep it from being approved, because they hold it */
  blockers: readonly Brand[];
  requestedBy: Actor;
  requestedAt: Date;
  note: string | null;
  /** Null until someone decides the review */
  decidedBy: Actor | null;
  decidedAt: Date | null;
  reason: string | null;
}

/** Largest number of reviews in one decision. The form with their ids is limited to 1 MB. */
const MAX_DECIDED = 20_000;

/**
 * Returns the selected reviews, ordered by brand and ZIP code. A decision then applies only to these reviews, not to
 * later requests.
 * @throws ServiceError 400 for more than `MAX_DECIDED`
 */
export async function selectedReviews(
  tenant: Tenant,
  scope: BrandScope,
  filter: QueueFilter,
  { ids, picked, batchIds, all }: QueueSelection,
): Promise<ChosenReview[]> {
  const rows = await tenant.acrossBrands.query<SelectedRow>(
    `select r.id, r.batch_id as "batchId", r.zip, ${BRAND_JSON} as brand, r.status, r.note,
       r.requested_by as "requestedBy", r.requested_at as "requestedAt", ${IS_SHARED} as shared, ${IS_ISOLATED} as isolated,
       r.decided_by as "decidedBy", r.decided_at as "decidedAt", r.reason
     from (
       select r.* from reviews r left join zips on zips.zip = r.zip
       where r.organization_id = $1 and ($2::uuid[] is null or r.brand_id = any($2))
         and (r.id::text = any($7)
           or r.status = 'pending' and ($9 or r.batch_id::text = any($8)) and ${PASSES}
           or r.status = 'pending' and r.batch_id::text || r.zip = any($10))
       limit $11) r
     join brands b on b.id = r.brand_id
     ${AS_HELD_ZIP}
     order by b.slug, r.zip, r.id`,
    [
      ...filterValues(scope, filter),
      ids,
      batchIds,
      all,
      picked.map(([batchId, zip]) => batchId + zip),
      MAX_DECIDED + 1,
    ],
  );
  if (rows.length <= MAX_DECIDED) return withBlocked(tenant, scope, rows);
  throw badRequest(
    `More than ${formatCount(MAX_DECIDED)} ZIP codes are selected. Decide fewer at a time: filter by brand or state, or select single requests.`,
  );
}

type SelectedRow = Omit<ChosenReview, 'blocked' | 'blockers'>;

const FREE = { blocked: null, blockers: [] } as const;

/** Marks the reviews that an approval would refuse, as `approveReviews` decides it. */
async function withBlocked(
  tenant: Tenant,
  scope: BrandScope,
  rows: readonly SelectedRow[],
): Promise<ChosenReview[]> {
  const pending = rows
    .filter(({ status }) => status === 'pending')
    .sort((a, b) => Number(a.requestedAt) - Number(b.requestedAt));
  if (pending.length === 0) return rows.map((row) => ({ ...row, ...FREE }));
  const { refused } = settleClaims(pending, await factsOf(tenant, pending));
  const blocks = new Map(
    refused.map(({ id, refusal }) => {
      const holders = refusal.kind === 'overlap' ? refusal.holders : [];
      const blockers = holders.filter(({ id }) => isInScope(scope, id));
      return [id, { blocked: explainRefusal(refusal), blockers }];
    }),
  );
  return rows.map((row) => ({ ...row, ...(blocks.get(row.id) ?? FREE) }));
}
