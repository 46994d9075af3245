/** Counts flagged ZIP codes. */
import type { Tenant } from '../account/tenant.ts';
import { IS_HELD, IS_ISOLATED, IS_SHARED } from './held-conditions.ts';

export interface FlagCounts {
  shared: number;
  isolated: number;
}

/** Returns counts by brand id. Brands that hold no ZIP code are missing. */
export async function flagCounts(
  tenant: Tenant,
  brandIds: readonly string[],
): Promise<Map<string, FlagCounts>> {
  const rows = await tenant.query<FlagCounts & { id: string }>(
    `select bz.brand_id as id, count(*) filter (where ${IS_SHARED}) as shared,
       count(*) filter (where ${IS_ISOLATED}) as isolated
     from brand_zips bz
     where bz.organization_id = $1 and bz.brand_id = any($2::uuid[]) and ${IS_HELD}
     group by bz.brand_id`,
    [brandIds],
  );
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
