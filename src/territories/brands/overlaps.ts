/** Lists ZIP codes that several brands of an organization hold. */
import type { BrandScope } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import { brandIdsInScope, type Brand } from './brands.ts';
import { IS_AMONG_SHARED, IS_HELD } from './held-conditions.ts';
import { BRAND_JSON } from './named-brands.ts';

export interface Overlap {
  zip: string;
  /** Brands within the scope that hold it, ordered by slug; at least one */
  brands: Brand[];
  /** Number of brands outside the scope that hold it too. Their names stay hidden. */
  others: number;
}

/** Returns the overlaps of the brands within the scope, or of one of them, sorted by ZIP code. */
export async function listOverlaps(
  tenant: Tenant,
  scope: BrandScope,
  brand: Pick<Brand, 'id'> | null = null,
): Promise<Overlap[]> {
  return tenant.acrossBrands.query<Overlap>(
    `select bz.zip,
       jsonb_agg(${BRAND_JSON} order by b.slug) filter (where ${IN_SCOPE}) as brands,
       count(*) filter (where not ${IN_SCOPE}) as others
     from brand_zips bz join brands b on b.id = bz.brand_id
     where bz.organization_id = $1 and ${IS_HELD} and ${IS_AMONG_SHARED}
     group by bz.zip
     having bool_or(${IN_SCOPE} and ($3::uuid is null or bz.brand_id = $3))
     order by bz.zip`,
    [brandIdsInScope(scope), brand?.id],
  );
}

const IN_SCOPE = '($2::uuid[] is null or bz.brand_id = any($2))';
