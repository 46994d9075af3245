/** Reads live territories as territories of a plan. */
import type { Tenant } from '../account/tenant.ts';
import type { Brand } from '../territory/brands.ts';
import { IS_HELD } from '../territory/held-conditions.ts';
import type { ComparedTerritory } from './compare.ts';
import type { PlanTerritory } from './plans.ts';

/**
 * Returns the ZIP codes of a market that each brand holds, live or pending, ordered by slug. Skips brands that hold
 * none there. A ZIP code that two brands hold is in both territories.
 */
export async function liveTerritories(
  tenant: Tenant,
  market: readonly string[],
): Promise<(ComparedTerritory & { brand: Brand })[]> {
  const rows = await tenant.query<Brand & { zips: string }>(
    `select b.id, b.slug, b.name, string_agg(bz.zip, ' ' order by bz.zip) as zips
     from brand_zips bz join brands b on b.id = bz.brand_id
     where bz.organization_id = $1 and bz.zip = any($2) and ${IS_HELD}
     group by b.id, b.slug, b.name order by b.slug collate "C"`,
    [market],
  );
  return rows.map(({ zips, ...brand }) => ({ name: brand.name, brand, zips: zips.split(' ') }));
}

/**
 * Numbers live territories for a new plan. A ZIP code that several brands hold goes to the first brand,
 * because the territories of a plan don't overlap.
 */
export function withoutOverlaps(
  live: readonly (ComparedTerritory & { brand: Brand })[],
): PlanTerritory[] {
  const taken = new Set<string>();
  return live.map(({ name, brand, zips }, i) => {
    const own = zips.filter((zip) => !taken.has(zip));
    for (const zip of own) taken.add(zip);
    return { number: i + 1, name, brand, zips: own };
  });
}
