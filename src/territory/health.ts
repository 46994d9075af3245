/** The health of brands: what each one holds, its value, and its share of each market. */
import type { BrandScope } from '../account/caller.ts';
import type { Tenant } from '../account/tenant.ts';
import { groupBy } from '../group.ts';
import { recordSeenZips, type Viewer } from '../metering/figures.ts';
import { balanceOf, type Balance } from './balance.ts';
import { brandIdsInScope, type Brand } from './brands.ts';
import { IS_HELD, IS_ISOLATED, IS_SHARED } from './held-conditions.ts';
import { tenths, totalsOf, zipFacts, type Totals, type ZipFacts } from './zip-facts.ts';

export interface HeldCounts {
  /** Held ZIP codes by status */
  live: number;
  pending: number;
  /** Held by another brand too */
  shared: number;
  /** Without a neighbor that the brand holds */
  isolated: number;
}

/** `live` and `pending` add up to `totals.zips`. */
export interface Health extends HeldCounts {
  brand: Brand;
  totals: Totals;
  /** Launched metros in which the brand holds ZIP codes, by their number, highest first */
  markets: MarketShare[];
  /** Held ZIP codes outside all launched metros */
  zipsOutsideMetros: number;
}

export interface MarketShare {
  /** Slug */
  metro: string;
  zips: number;
  households: number;
  heldZips: number;
  heldHouseholds: number;
  /** Held households in percent of the metro's, to one decimal; 0 for a metro without households */
  heldPct: number;
}

/**
 * Returns the health of the brands within the scope, by slug. @param vertical adds its scores; null
 * omits them
 * @throws ServiceError 402 as `recordSeenZips`: the totals cover everything that the brands hold
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
  const heldBy = groupBy(held, ({ brandId }) => brandId);
  const zips = new Set(held.map(({ zip }) => zip));
  await recordSeenZips(viewer, zips);
  const known = await zipFacts(tenant.common, zips, vertical);
  const facts = new Map(known.map((row) => [row.zip, row]));
  const sizes = await metroSizes(tenant);
  return brands.map((brand) => {
    const rows = heldBy.get(brand.id) ?? [];
    const zipsOfBrand = rows.map(({ zip }) => facts.get(zip)!);
    return {
      brand,
      ...countsOf(rows),
      totals: totalsOf(zipsOfBrand),
      markets: marketShares(zipsOfBrand, sizes),
      zipsOutsideMetros: zipsOfBrand.filter(({ metro }) => metro === null).length,
    };
  });
}

/** Returns the counts of one brand, which are no figures. */
export const heldCountsOf = async (tenant: Tenant, { id }: Pick<Brand, 'id'>) =>
  countsOf(await heldZips(tenant, new Set([id])));

const countsOf = (held: readonly HeldZip[]): HeldCounts => ({
  live: held.filter(({ state }) => state === 'live').length,
  pending: held.filter(({ state }) => state === 'pending').length,
  shared: held.filter(({ shared }) => shared).length,
  isolated: held.filter(({ isolated }) => isolated).length,
});

/**
 * Returns how evenly the brands divide their households and, if a vertical was given, their market
 * opportunity. A ZIP code that two brands hold counts for both.
 */
export function balanceBrands(healths: readonly Health[]): {
  households: Balance<string>;
  opportunity: Balance<string> | null;
} {
  const by = (value: (totals: Totals) => number | null) =>
    balanceOf(healths.map(({ brand, totals }) => ({ id: brand.slug, total: value(totals) ?? 0 })));
  return {
    households: by(({ households }) => households),
    opportunity: healths.some(({ totals }) => totals.opportunity !== null)
      ? by(({ opportunity }) => opportunity)
      : null,
  };
}

interface HeldZip {
  brandId: string;
  zip: string;
  state: 'live' | 'pending';
  shared: boolean;
  isolated: boolean;
}

function heldZips(tenant: Tenant, scope: BrandScope): Promise<HeldZip[]> {
  return tenant.query<HeldZip>(
    `select bz.brand_id as "brandId", bz.zip, bz.state, ${IS_SHARED} as shared,
       ${IS_ISOLATED} as isolated
     from brand_zips bz
     where bz.organization_id = $1 and ${IS_HELD} and ($2::uuid[] is null or brand_id = any($2))`,
    [brandIdsInScope(scope)],
  );
}

type MetroSize = Pick<MarketShare, 'zips' | 'households'>;

async function metroSizes(tenant: Tenant): Promise<Map<string, MetroSize>> {
  const rows = await tenant.common.query<MetroSize & { metro: string }>(
    `select metro_slug as metro, count(*) as zips,
       coalesce(sum(households_total), 0) as households
     from zips
     join metro_counties using (county_fips)
     left join zip_demographics using (zip)
     group by metro_slug`,
  );
  return new Map(rows.map(({ metro, ...size }) => [metro, size]));
}

function marketShares(
  zips: readonly ZipFacts[],
  sizes: ReadonlyMap<string, MetroSize>,
): MarketShare[] {
  const inMetros = zips.filter((zip): zip is ZipFacts & { metro: string } => zip.metro !== null);
  return [...groupBy(inMetros, ({ metro }) => metro)]
    .map(([metro, held]) => {
      const size = sizes.get(metro)!;
      const heldHouseholds = totalsOf(held).households;
      const part = size.households === 0 ? 0 : heldHouseholds / size.households;
      return { metro, ...size, heldZips: held.length, heldHouseholds, heldPct: tenths(100 * part) };
    })
    .sort((a, b) => b.heldZips - a.heldZips || (a.metro < b.metro ? -1 : 1));
}
