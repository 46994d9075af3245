/** The ZIP codes of a brand, with their status, flags, and latest review. */
import { z } from 'zod';
import type { BrandScope } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import {
  readablePageOf,
  rowsToRead,
  startAfter,
  type Page,
  type PageRequest,
} from '../../base/contract/paging.ts';
import { brandIdsInScope, type Brand } from './brands.ts';
import { IS_HELD, IS_ISOLATED, IS_SHARED, otherHoldersJson } from './held-conditions.ts';

export const ZIP_STATUSES = ['pending', 'live', 'removed'] as const;
export const FLAGS = ['shared', 'isolated', 'no_boundary'] as const;
export const REVIEW_STATUSES = ['pending', 'approved', 'rejected', 'withdrawn'] as const;

/** Status of a ZIP code in a brand */
export type ZipState = (typeof ZIP_STATUSES)[number];
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

export interface BrandZip {
  zip: string;
  /** Null if unknown */
  city: string | null;
  /** USPS code */
  state: string | null;
  status: ZipState;
  /** Whether another brand of the organization holds it too; false for a removed ZIP code */
  shared: boolean;
  /** The other brands that hold it, by slug */
  sharedWith: Brand[];
  /** Whether the brand holds none of its neighbors; false for a removed ZIP code */
  isolated: boolean;
  /** False if maps can't draw it, because the imported boundaries don't include it */
  hasBoundary: boolean;
  changedAt: Date;
  /** What a change that waits plans for it; null for most, and on earlier days */
  planned: {
    part: 'added' | 'removed';
    /** `2027-01-01`; null: when the change is approved */
    on: string | null;
    changeId: string;
    /** Whether it's approved, and only waits for its day */
    isApproved: boolean;
  } | null;
  /** The latest review */
  review: { id: string; status: ReviewStatus; reason: string | null } | null;
}

export interface BrandZipFilter {
  /** Default: live and pending */
  status?: ZipState | undefined;
  /** USPS code */
  state?: string | undefined;
  /** Flag of held ZIP codes */
  flag?: (typeof FLAGS)[number] | undefined;
  /** Status of the latest review */
  reviewStatus?: ReviewStatus | undefined;
}

/** Returns a brand's ZIP codes in order, page by page. */
export async function brandZips(
  tenant: Tenant,
  brand: Pick<Brand, 'id'>,
  filter: BrandZipFilter = {},
  page: PageRequest = {},
): Promise<Page<BrandZip>> {
  const after = startAfter(page, z.tuple([z.string()]));
  // The primary key of brand_zips returns rows in order, so the query reads only the rows of the
  // page and the rows before it that a filter drops.
  const rows = await tenant.acrossBrands.query<BrandZip>(
    `select ${BRAND_ZIP} where ${filterCondition(filter)} and ($6::text is null or bz.zip > $6)
     order by bz.zip limit $7`,
    [brand.id, ...filterValues(filter), after?.[0], rowsToRead(page)],
  );
  return readablePageOf(rows, page, ({ zip }) => [zip]);
}

/** Returns those of the ZIP codes that a brand holds or has held, in order. */
export const brandZipsIn = (
  tenant: Tenant,
  brand: Pick<Brand, 'id'>,
  zips: readonly string[],
): Promise<BrandZip[]> =>
  tenant.acrossBrands.query<BrandZip & Record<string, unknown>>(
    `select ${BRAND_ZIP}
     where bz.organization_id = $1 and bz.brand_id = $2 and bz.zip = any($3) order by bz.zip`,
    [brand.id, zips],
  );

/** Returns all ZIP codes that `brandZips` lists with the same filter, sorted. */
export async function matchingZips(
  tenant: Tenant,
  brand: Pick<Brand, 'id'>,
  filter: BrandZipFilter,
): Promise<string[]> {
  const rows = await tenant.acrossBrands.query<{ zip: string }>(
    `select bz.zip
     from brand_zips bz
     left join zips on zips.zip = bz.zip
     ${filter.reviewStatus ? `cross join lateral ${LATEST_REVIEW} review` : NO_REVIEW}
     where ${filterCondition(filter)}
     order by bz.zip`,
    [brand.id, ...filterValues(filter)],
  );
  return rows.map(({ zip }) => zip);
}

const LATEST_REVIEW = `(
  -- Without statistics, "order by … limit 1" would scan the whole queue.
  select (array_agg(jsonb_build_object('id', r.id, 'status', r.status, 'reason', r.reason)
            order by r.requested_at desc, r.id))[1] as latest
  from reviews r
  where r.organization_id = $1 and r.brand_id = bz.brand_id and r.zip = bz.zip)`;

const BRAND_ZIP = `bz.zip, zips.city, zips.state, bz.state as status,
    coalesce(sharers.brands, '[]') <> '[]' as shared,
    coalesce(sharers.brands, '[]') as "sharedWith",
    ${IS_HELD} and ${IS_ISOLATED} as isolated, zips.bbox is not null as "hasBoundary",
    bz.changed_at as "changedAt", review.latest as review,
    -- At most one, by the index of the ZIP codes that wait
    (select jsonb_build_object('part', cz.part, 'on', c.on_day, 'changeId', c.id,
       'isApproved', c.status <> 'waiting')
     from change_zips cz join changes c on c.id = cz.change_id
     where cz.organization_id = $1 and cz.brand_id = bz.brand_id and cz.zip = bz.zip and cz.is_open
       and nullif(current_setting('territory.as_of', true), '') is null) as planned
  from brand_zips bz
  left join zips on zips.zip = bz.zip
  left join lateral (
    select ${otherHoldersJson()} as brands where ${IS_HELD}) sharers on true
  cross join lateral ${LATEST_REVIEW} review`;

const NO_REVIEW = `cross join (select null::jsonb as latest) review`;

/** SQL condition for a filter: `$2` is the brand, `$3` to `$5` are `filterValues`. */
function filterCondition({ status, flag }: BrandZipFilter): string {
  return [
    'bz.organization_id = $1 and bz.brand_id = $2',
    status ? 'bz.state = $3' : `${IS_HELD} and $3::text is null`,
    flag ? `${IS_HELD} and ${FLAG_CONDITIONS[flag]}` : 'true',
    '($4::text is null or zips.state = $4)',
    `($5::text is null or review.latest->>'status' = $5)`,
  ].join(' and ');
}

const filterValues = ({ status, state, reviewStatus }: BrandZipFilter) => [
  status,
  state,
  reviewStatus,
];

/**
 * Returns the USPS codes of the states in which a brand has held or removed ZIP codes, sorted.
 */
export async function statesOf(tenant: Tenant, brand: Pick<Brand, 'id'>): Promise<string[]> {
  const rows = await tenant.query<{ state: string }>(
    `select distinct zips.state from brand_zips bz join zips using (zip)
     where bz.organization_id = $1 and bz.brand_id = $2 and zips.state is not null
     order by zips.state`,
    [brand.id],
  );
  return rows.map(({ state }) => state);
}

const FLAG_CONDITIONS = {
  shared: IS_SHARED,
  isolated: IS_ISOLATED,
  no_boundary: 'zips.bbox is null',
};

export type HeldStatuses = Map<string, 'live' | 'pending'>;

/** Returns the status of each ZIP code that a brand holds, in order. */
export async function heldZipStatuses(
  tenant: Tenant,
  brand: Pick<Brand, 'id'>,
): Promise<HeldStatuses> {
  // Receiving a row per ZIP code would take ten times as long.
  const [row] = await tenant.query<StatusLists>(
    `select string_agg(bz.zip, ' ' order by bz.zip) as zips,
       string_agg(bz.zip, ' ') filter (where bz.state = 'pending') as pending
     from brand_zips bz
     where bz.organization_id = $1 and bz.brand_id = $2 and ${IS_HELD}`,
    [brand.id],
  );
  return statusesIn(row!);
}

/**
 * Returns the status of each ZIP code that any brand within the scope holds, in order. It is pending if it is for one of
 * them.
 */
export async function statusesOfBrands(tenant: Tenant, scope: BrandScope): Promise<HeldStatuses> {
  const [row] = await tenant.query<StatusLists>(
    `select string_agg(zip, ' ' order by zip) as zips,
       string_agg(zip, ' ') filter (where waits) as pending
     from (
       select bz.zip, bool_or(bz.state = 'pending') as waits
       from brand_zips bz
       where bz.organization_id = $1 and ${IS_HELD} and ($2::uuid[] is null or bz.brand_id = any($2))
       group by bz.zip) held`,
    [brandIdsInScope(scope)],
  );
  return statusesIn(row!);
}

type StatusLists = { zips: string | null; pending: string | null };

function statusesIn({ zips, pending }: StatusLists): HeldStatuses {
  const splitZips = (text: string | null) => text?.split(' ') ?? [];
  const waiting = new Set(splitZips(pending));
  return new Map(splitZips(zips).map((zip) => [zip, waiting.has(zip) ? 'pending' : 'live']));
}
