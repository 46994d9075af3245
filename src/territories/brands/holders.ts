/** Finds the brands that hold ZIP codes. */
import type { BrandScope } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import { brandIdsInScope, type Brand } from './brands.ts';
import { isUnflagged } from './groups/allowed-overlaps.ts';
import { IS_HELD } from './held-conditions.ts';
import { BRAND_JSON, RULED_BRAND_JSON } from './named-brands.ts';

/**
 * Returns the brands within the scope that hold each ZIP code, ordered by slug. ZIP codes that no brand holds are
 * missing.
 */
export async function holdersOf(
  tenant: Tenant,
  scope: BrandScope,
  zips: readonly string[],
): Promise<Map<string, Brand[]>> {
  const rows = await tenant.query<{ zip: string; brands: Brand[] }>(
    `select bz.zip, jsonb_agg(${BRAND_JSON} order by b.slug) as brands
     from brand_zips bz join brands b on b.id = bz.brand_id
     where bz.organization_id = $1 and bz.zip = any($2) and ${IS_HELD}
       and ($3::uuid[] is null or bz.brand_id = any($3))
     group by bz.zip`,
    [zips, brandIdsInScope(scope)],
  );
  return new Map(rows.map(({ zip, brands }) => [zip, brands]));
}

/**
 * Returns the other brands of the organization that hold each ZIP code, ordered by slug, with their ids, unless a group or
 * a grant allows it, or one hands it over: in the names, those that the viewer may not know are "another brand".
 */
export async function otherHoldersOf(
  tenant: Tenant,
  { id }: Pick<Brand, 'id'>,
  zips: readonly string[],
): Promise<Map<string, Brand[]>> {
  const rows = await tenant.acrossBrands.query<{ zip: string; brands: Brand[] }>(
    `select bz.zip, jsonb_agg(${RULED_BRAND_JSON} order by b.slug) as brands
     from brand_zips bz join brands b on b.id = bz.brand_id
     where bz.organization_id = $1 and bz.zip = any($2) and ${IS_HELD} and bz.brand_id <> $3::uuid
       and not ${isUnflagged('bz.zip', '$3::uuid', 'bz.brand_id')}
     group by bz.zip`,
    [zips, id],
  );
  return new Map(rows.map(({ zip, brands }) => [zip, brands]));
}
