/** Reads live territories as territories of a plan. */
import type { Tenant } from '../../people/account/tenant.ts';
import type { Brand } from '../brands/brands.ts';
import { heldInMarket } from '../brands/held-in-market.ts';
import { splitZips, type PlanTerritory } from './plans.ts';

/**
 * Returns the ZIP codes of a market that each brand holds, live or pending, ordered by slug. Skips brands that hold
 * none there; the others have their numbers among all brands, and with these the colors of the map of live territories.
 * A ZIP code that two brands hold is in both territories.
 */
export async function liveTerritories(
  tenant: Tenant,
  market: readonly string[],
): Promise<(PlanTerritory & { brand: Brand })[]> {
  const held = await heldInMarket(tenant, 'all', market);
  return held
    .map(({ brand, zips }, i) => ({
      number: i + 1,
      name: brand.name,
      brand,
      zips: splitZips(zips),
    }))
    .filter(({ zips }) => zips.length > 0);
}

/**
 * Returns live territories for a new plan. A ZIP code that several brands hold goes to the first brand,
 * because the territories of a plan don't overlap.
 */
export function withoutOverlaps(live: readonly PlanTerritory[]): PlanTerritory[] {
  const taken = new Set<string>();
  return live.map((territory) => {
    const zips = territory.zips.filter((zip) => !taken.has(zip));
    for (const zip of zips) taken.add(zip);
    return { ...territory, zips };
  });
}
