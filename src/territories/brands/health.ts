/** The health of brands: counts, value, and market shares. */
import type { BrandScope } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import type { Queryable } from '../../base/db/database.ts';
import { letOthersRun } from '../../base/workers/let-others-run.ts';
import { recordSeenZips, type Viewer } from '../../people/metering/figures.ts';
import { readAdjacency, readMappedFilter } from './shape/adjacency.ts';
import { balanceOf, type Balance } from './balance.ts';
import { brandIdsInScope, type Brand } from './brands.ts';
import { findIsolated } from './shape/contiguity.ts';
import { IS_AMONG_SHARED, IS_HELD } from './held-conditions.ts';
import {
  addSums,
  JOIN_FACTS,
  SUMS,
  sumsOf,
  tenths,
  totalsOf,
  ZIP_FACTS,
  type Sums,
  type Totals,
} from './zip-facts.ts';

export interface HeldCounts {
  /** Number of held ZIP codes by status */
  live: number;
  pending: number;
  /** Number of ZIP codes that another brand holds too */
  shared: number;
  /** Number of ZIP codes without a held neighbor */
  isolated: number;
}

/** The health of a brand. `live` and `pending` add up to `totals.zips`. */
export interface Health extends HeldCounts {
  brand: Brand;
  totals: Totals;
  /** Launched metros in which the brand holds ZIP codes, most held ZIP codes first */
  markets: MarketShare[];
  /** Number of held ZIP codes outside all launched metros */
  zipsOutsideMetros: number;
}

interface MarketShare {
  /** Slug */
  metro: string;
  zips: number;
  households: number;
  heldZips: number;
  heldHouseholds: number;
  /** Share of the metro's households in percent, to one decimal; 0 for a metro without households */
  heldPct: number;
}

/**
 * Returns the health of the brands within the scope, ordered by slug.
 * @param vertical adds its scores; null omits scores
 * @throws ServiceError 402 as `recordSeenZips` for all ZIP codes that the brands hold
 */
export async function healthOfBrands(
  viewer: Viewer,
  scope: BrandScope,
  vertical: string | null,
): Promise<Health[]> {
  const { tenant } = viewer;
  const brands = await tenant.query<Brand>(
    `select id, slug, name from brands
     where organization_id = $1 and ($2::uuid[] is null or id = any($2))
     order by slug collate "C"`,
    [brandIdsInScope(scope)],
  );
  const held = await heldZips(tenant, scope);
  await recordSeenZips(viewer, new Set(held.flatMap(({ zips }) => [...zips])));
  const sums = await sumsByMetro(tenant.common, held, vertical);
  const metros = new Set(sums.flatMap(({ metro }) => metro ?? []));
  const sizes = await metroSizes(tenant.common, metros);
  return brands.map((brand) => {
    const ofBrand = sums.filter(({ brandId }) => brandId === brand.id);
    const outside = ofBrand.find(({ metro }) => metro === null);
    return {
      brand,
      ...countsOf(held.find(({ brandId }) => brandId === brand.id)),
      totals: totalsOf(ofBrand.reduce(addSums, sumsOf([]))),
      markets: marketShares(ofBrand, sizes),
      zipsOutsideMetros: outside?.zips ?? 0,
    };
  });
}

/** Returns the counts of brands by id. They don't count as figures. */
export async function heldCounts(
  tenant: Tenant,
  brandIds: readonly string[],
): Promise<Map<string, HeldCounts>> {
  const held = await heldZips(tenant, new Set(brandIds));
  return new Map(brandIds.map((id) => [id, countsOf(held.find(({ brandId }) => brandId === id))]));
}

const countsOf = ({ live, pending, shared, isolated }: HeldCounts = NOTHING_HELD): HeldCounts => ({
  live,
  pending,
  shared,
  isolated,
});

const NOTHING_HELD: HeldCounts = { live: 0, pending: 0, shared: 0, isolated: 0 };

/**
 * Returns how evenly the brands divide their households and, if a vertical was given, their market
 * opportunity. A ZIP code that two brands hold counts for both.
 */
export function balanceBrands(healths: readonly Health[]): {
  households: Balance<string>;
  opportunity: Balance<string> | null;
} {
  const balanceOfTotals = (value: (totals: Totals) => number | null) =>
    balanceOf(healths.map(({ brand, totals }) => ({ id: brand.slug, total: value(totals) ?? 0 })));
  return {
    households: balanceOfTotals(({ households }) => households),
    opportunity: healths.some(({ totals }) => totals.opportunity !== null)
      ? balanceOfTotals(({ opportunity }) => opportunity)
      : null,
  };
}

interface HeldZips extends HeldCounts {
  brandId: string;
  zips: ReadonlySet<string>;
}

/** Returns held ZIP codes and counts by brand. Brands that hold no ZIP code are missing. */
async function heldZips(tenant: Tenant, scope: BrandScope): Promise<HeldZips[]> {
  const rows = await tenant.acrossBrands.query<
    Omit<HeldZips, 'zips' | 'isolated'> & { list: string }
  >(
    `select bz.brand_id as "brandId", string_agg(bz.zip, ' ') as list,
       count(*) filter (where bz.state = 'live') as live,
       count(*) filter (where bz.state = 'pending') as pending,
       count(*) filter (where ${IS_AMONG_SHARED}) as shared
     from brand_zips bz
     where bz.organization_id = $1 and ${IS_HELD} and ($2::uuid[] is null or brand_id = any($2))
     group by bz.brand_id`,
    [brandIdsInScope(scope)],
  );
  const held = rows.map(({ list, ...row }) => ({ ...row, zips: new Set(list.split(' ')) }));
  const all = new Set(held.flatMap(({ zips }) => [...zips]));
  const adjacency = await readAdjacency(tenant.common, all);
  const onMap = await readMappedFilter(tenant.common, all, adjacency);
  const counted: HeldZips[] = [];
  for (const { zips, ...row } of held) {
    // The whole country takes a few milliseconds. Other requests run in between.
    await letOthersRun();
    counted.push({ ...row, zips, isolated: findIsolated(onMap(zips), adjacency).length });
  }
  return counted;
}

interface MetroSums extends Sums {
  brandId: string;
  /** Null outside all launched metros */
  metro: string | null;
}

function sumsByMetro(
  db: Queryable,
  held: readonly HeldZips[],
  vertical: string | null,
): Promise<MetroSums[]> {
  return db.query<MetroSums>(
    `select "brandId", metro, ${SUMS}
     from (select ${ZIP_FACTS}, brand_id as "brandId"
           from unnest($1::text[], $3::text[]) as brands (brand_id, list),
             unnest(string_to_array(list, ' ')) as zip ${JOIN_FACTS}) facts
     group by "brandId", metro`,
    [held.map(({ brandId }) => brandId), vertical, held.map(({ zips }) => [...zips].join(' '))],
  );
}

type MetroSize = Pick<MarketShare, 'zips' | 'households'>;

async function metroSizes(
  db: Queryable,
  metros: Iterable<string>,
): Promise<Map<string, MetroSize>> {
  const rows = await db.query<MetroSize & { metro: string }>(
    `select metro_slug as metro, count(*) as zips,
       coalesce(sum(households_total), 0) as households
     from zips
     join metro_counties using (county_fips)
     left join zip_demographics using (zip)
     where metro_slug = any($1)
     group by metro_slug`,
    [[...metros]],
  );
  return new Map(rows.map(({ metro, ...size }) => [metro, size]));
}

function marketShares(
  sums: readonly MetroSums[],
  sizes: ReadonlyMap<string, MetroSize>,
): MarketShare[] {
  return sums
    .flatMap(({ metro, zips, households }) => {
      if (metro === null) return [];
      const size = sizes.get(metro)!;
      const part = size.households === 0 ? 0 : households / size.households;
      const heldPct = tenths(100 * part);
      return [{ metro, ...size, heldZips: zips, heldHouseholds: households, heldPct }];
    })
    .sort((a, b) => b.heldZips - a.heldZips || (a.metro < b.metro ? -1 : 1));
}
