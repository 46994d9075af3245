/** The ZIP codes of a market that each brand holds. */
import type { BrandScope } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import { brandIdsInScope, type Brand } from './brands.ts';
import { IS_HELD } from './held-conditions.ts';
import { zipArray } from '../../base/db/zip-array.ts';

interface HeldTerritory {
  brand: Brand;
  /** Held ZIP codes, sorted, separated by spaces */
  zips: string;
  /** The held ZIP codes that are pending review */
  pending: string;
}

/** Returns all brands within the scope, ordered by slug, with the ZIP codes that they hold in the market. */
export function heldInMarket(
  tenant: Tenant,
  scope: BrandScope,
  market: readonly string[],
): Promise<HeldTerritory[]> {
  return tenant.query<HeldTerritory>(
    `select jsonb_build_object('id', b.id, 'slug', b.slug, 'name', b.name) as brand,
       coalesce(string_agg(bz.zip, ' ' order by bz.zip), '') as zips,
       coalesce(string_agg(bz.zip, ' ' order by bz.zip) filter (where bz.state = 'pending'), '')
         as pending
     from brands b
     left join brand_zips bz on bz.organization_id = $1 and bz.brand_id = b.id
       and bz.zip = any($3) and ${IS_HELD}
     where b.organization_id = $1 and ($2::uuid[] is null or b.id = any($2))
     group by b.id, b.slug, b.name order by b.slug collate "C"`,
    [brandIdsInScope(scope), zipArray(market)],
  );
}

/** Returns the metro, or the state outside metros, where the brands hold most ZIP codes; null if they hold none. */
export async function busiestPlace(
  tenant: Tenant,
  scope: BrandScope,
): Promise<{ metro: string | null; state: string | null } | null> {
  const [place] = await tenant.query<{ metro: string | null; state: string | null }>(
    `select metro_slug as metro, case when metro_slug is null then zips.state end as state
     from brand_zips bz join zips using (zip) left join metro_counties using (county_fips)
     where bz.organization_id = $1 and ($2::uuid[] is null or bz.brand_id = any($2)) and ${IS_HELD}
     group by 1, 2 order by count(*) desc, 1, 2 limit 1`,
    [brandIdsInScope(scope)],
  );
  return place ?? null;
}
