/**
 * The review queue as those who decide read it: requests that wait, each with who asked and why, and
 * its ZIPs with the flags that they have as soon as the brand holds them.
 */
import { z } from 'zod';
import type { Actor, BrandScope } from '../account/caller.ts';
import type { Tenant } from '../account/tenant.ts';
import { badRequest } from '../errors.ts';
import { groupBy } from '../group.ts';
import { Moment, momentText, pageOf, rowsToRead, startAfter, type PageRequest } from '../paging.ts';
import { bboxAround, COUNTRY, type Bbox } from '../spatial/bbox.ts';
import { count } from '../words.ts';
import { actorItself, actorKeyOf } from './actor-key.ts';
import { idsOf, type Brand } from './brands.ts';
import type { ReviewStatus } from './brand-zips.ts';
import { IS_ISOLATED, IS_SHARED } from './held-conditions.ts';

export interface QueueFilter {
  brandId?: string | undefined;
  /** As `actorKey` */
  requester?: string | undefined;
  /** USPS code */
  state?: string | undefined;
  /** Asked for before then */
  before?: Date | undefined;
}

export interface PendingZip {
  /** Of the review */
  id: string;
  zip: string;
  city: string | null;
  /** USPS code */
  state: string | null;
  /** Brands that hold it too, by slug */
  sharedWith: Brand[];
  /** It borders nothing that the brand holds or waits for */
  isolated: boolean;
}

/** What was asked for at once. */
export interface PendingRequest {
  batchId: string;
  brand: Brand;
  requestedBy: Actor;
  requestedAt: Date;
  note: string | null;
  /** ZIPs of it that wait and pass the filter, on all pages */
  total: number;
  /** Those of this page */
  zips: PendingZip[];
}

export interface PendingPage {
  requests: PendingRequest[];
  /** ZIPs that wait and pass the filter, on all pages; 0 beyond the last one */
  total: number;
  nextCursor: string | null;
}

/** Over a row `r` of reviews beside `zips`; the values are `filterValues`, from `$2`. */
const PASSES = `r.organization_id = $1
  and ($2::uuid[] is null or r.brand_id = any($2))
  and ($3::text is null or r.brand_id::text = $3)
  and ($4::text is null or ${actorKeyOf('r.requested_by')} = $4)
  and ($5::text is null or zips.state = $5)
  and ($6::timestamptz is null or r.requested_at < $6)`;

const filterValues = (scope: BrandScope, filter: QueueFilter) => [
  idsOf(scope),
  filter.brandId ?? null,
  filter.requester ?? null,
  filter.state ?? null,
  filter.before ?? null,
];

const BRAND = `jsonb_build_object('id', b.id, 'slug', b.slug, 'name', b.name)`;

const BBOX = 'array[st_xmin(bbox), st_ymin(bbox), st_xmax(bbox), st_ymax(bbox)]';

type WaitingRow = PendingZip &
  Omit<PendingRequest, 'total' | 'zips'> & { moment: string; inRequest: number; inQueue: number };

/** ZIP by ZIP, those that have waited longest first. */
export async function pendingRequests(
  tenant: Tenant,
  scope: BrandScope,
  filter: QueueFilter,
  page: PageRequest = {},
): Promise<PendingPage> {
  const after = startAfter(page, z.tuple([Moment, z.string(), z.uuid()]));
  // Flags are looked up for the rows of the page alone.
  const rows = await tenant.query<WaitingRow>(
    `select r.*, ${BRAND} as brand, coalesce(sharers.brands, '[]') as "sharedWith",
       ${IS_ISOLATED} as isolated
     from (
       select * from (
         select r.id, r.batch_id as "batchId", r.brand_id, r.zip, zips.city, zips.state, r.note,
           r.requested_by as "requestedBy", r.requested_at as "requestedAt",
           ${momentText('r.requested_at')} as moment,
           count(*) over (partition by r.batch_id) as "inRequest", count(*) over () as "inQueue"
         from reviews r left join zips on zips.zip = r.zip
         where ${PASSES} and r.status = 'pending') waiting
       where $7::timestamptz is null or ("requestedAt", zip, id) > ($7, $8::text, $9::uuid)
       order by "requestedAt", zip, id limit $10) r
     join brands b on b.id = r.brand_id
     join brand_zips bz on bz.brand_id = r.brand_id and bz.zip = r.zip
     left join lateral (
       select jsonb_agg(jsonb_build_object('id', o.id, 'slug', o.slug, 'name', o.name)
                order by o.slug) as brands
       from brand_zips other join brands o on o.id = other.brand_id
       where other.organization_id = $1 and other.zip = bz.zip and other.brand_id <> bz.brand_id
         and other.state <> 'removed') sharers on true
     order by r."requestedAt", r.zip, r.id`,
    [...filterValues(scope, filter), ...(after ?? [null, null, null]), rowsToRead(page)],
  );
  const { rows: kept, nextCursor } = pageOf(rows, page, (r) => [r.moment, r.zip, r.id]);
  const requests = Array.from(groupBy(kept, ({ batchId }) => batchId).values(), requestOf);
  return { requests, total: rows[0]?.inQueue ?? 0, nextCursor };
}

function requestOf(rows: readonly WaitingRow[]): PendingRequest {
  const { batchId, brand, requestedBy, requestedAt, note, inRequest } = rows[0]!;
  const zips = rows.map(({ id, zip, city, state, sharedWith, isolated }) => {
    return { id, zip, city, state, sharedWith, isolated };
  });
  return { batchId, brand, requestedBy, requestedAt, note, total: inRequest, zips };
}

/** All that waits and passes the filter, for a map. */
export async function pendingZips(
  tenant: Tenant,
  scope: BrandScope,
  filter: QueueFilter,
): Promise<MapReview[]> {
  return tenant.query<MapReview>(
    `select r.batch_id as "batchId", r.zip, ${BRAND} as brand, r.requested_by as "requestedBy",
       ${IS_ISOLATED} as isolated,
       case when zips.zip is not null then ${BBOX} end as bbox,
       array(select o.name from brand_zips other join brands o on o.id = other.brand_id
             where other.organization_id = $1 and other.zip = bz.zip
               and other.brand_id <> bz.brand_id and other.state <> 'removed'
             order by o.name) as "sharedWith"
     from reviews r
     join brands b on b.id = r.brand_id
     join brand_zips bz on bz.brand_id = r.brand_id and bz.zip = r.zip
     left join zips on zips.zip = r.zip
     where ${PASSES} and r.status = 'pending'
     order by r.requested_at, r.zip, r.id`,
    filterValues(scope, filter),
  );
}

export interface MapReview {
  batchId: string;
  zip: string;
  brand: Brand;
  requestedBy: Actor;
  isolated: boolean;
  /** Null: it has no boundary */
  bbox: Bbox | null;
  /** Names of the other brands that hold it, in order */
  sharedWith: string[];
}

/** What brands hold that was approved, in order. */
export async function liveZips(tenant: Tenant, brandIds: readonly string[]): Promise<string[]> {
  const rows = await tenant.query<{ zip: string }>(
    `select distinct zip from brand_zips
     where organization_id = $1 and brand_id = any($2::uuid[]) and state = 'live' order by zip`,
    [brandIds],
  );
  return rows.map(({ zip }) => zip);
}

/** Around all that waits and passes the filter; the country where nothing does. */
export async function queueBbox(
  tenant: Tenant,
  scope: BrandScope,
  filter: QueueFilter,
): Promise<Bbox> {
  const rows = await tenant.query<{ bbox: Bbox }>(
    `select ${BBOX} as bbox
     from reviews r join zips on zips.zip = r.zip where ${PASSES} and r.status = 'pending'`,
    filterValues(scope, filter),
  );
  return rows.length === 0 ? COUNTRY : bboxAround(rows.map(({ bbox }) => bbox));
}

/** How much waits, by what it can be narrowed down to. */
export interface QueuePart {
  brand: Brand;
  /** Whoever of their connectors asked */
  requestedBy: Actor;
  /** USPS code; null: nobody tells */
  state: string | null;
  zips: number;
}

const REQUESTER = actorItself('r.requested_by');

export const queueParts = (tenant: Tenant, scope: BrandScope): Promise<QueuePart[]> =>
  tenant.query<QueuePart>(
    `select ${BRAND} as brand, ${REQUESTER} as "requestedBy", zips.state, count(*) as zips
     from reviews r
     join brands b on b.id = r.brand_id
     left join zips on zips.zip = r.zip
     where r.organization_id = $1 and r.status = 'pending'
       and ($2::uuid[] is null or r.brand_id = any($2))
     group by b.id, ${REQUESTER}, zips.state order by b.slug, ${REQUESTER}->>'name', zips.state`,
    [idsOf(scope)],
  );

/** What somebody has picked in the queue: any of these. */
export interface QueueSelection {
  /** Reviews by their ids, whatever has become of them */
  ids: readonly string[];
  /** ZIPs that wait, by their requests: as a map tells them */
  picked: readonly (readonly [batchId: string, zip: string])[];
  /** Whole requests: what waits of them and passes the filter */
  batchIds: readonly string[];
  /** All that waits and passes the filter */
  all: boolean;
}

export interface ChosenReview {
  id: string;
  zip: string;
  brand: Brand;
  status: ReviewStatus;
  shared: boolean;
  isolated: boolean;
  /** Of one that does not wait any more */
  decidedBy: Actor | null;
  decidedAt: Date | null;
  reason: string | null;
}

/** Reviews in one decision: their ids are sent as one form of at most 1 MB. */
const MAX_DECIDED = 20_000;

/**
 * The reviews that are meant, by brand and ZIP: what is decided is what somebody was shown, whatever
 * comes to wait after that.
 * @throws ServiceError 400 for more than `MAX_DECIDED`
 */
export async function selectedReviews(
  tenant: Tenant,
  scope: BrandScope,
  filter: QueueFilter,
  { ids, picked, batchIds, all }: QueueSelection,
): Promise<ChosenReview[]> {
  const rows = await tenant.query<ChosenReview>(
    `select r.id, r.zip, ${BRAND} as brand, r.status,
       ${IS_SHARED} as shared, ${IS_ISOLATED} as isolated,
       r.decided_by as "decidedBy", r.decided_at as "decidedAt", r.reason
     from (
       select r.* from reviews r left join zips on zips.zip = r.zip
       where r.organization_id = $1 and ($2::uuid[] is null or r.brand_id = any($2))
         and (r.id::text = any($7)
           or r.status = 'pending' and ($9 or r.batch_id::text = any($8)) and ${PASSES}
           or r.status = 'pending' and r.batch_id::text || r.zip = any($10))
       limit $11) r
     join brands b on b.id = r.brand_id
     cross join lateral (select r.brand_id, r.zip) bz
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
  if (rows.length <= MAX_DECIDED) return rows;
  throw badRequest(
    `More than ${count(MAX_DECIDED)} ZIPs were chosen. Decide about part of them first: a brand, a state or a request.`,
  );
}
