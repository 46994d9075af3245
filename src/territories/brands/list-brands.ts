/** Lists the brands of an organization. Separate from `brands.ts`, because most commands need no pagination. */
import { z } from 'zod';
import type { BrandScope } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import {
  pageOf,
  rowsToRead,
  startAfter,
  type Page,
  type PageRequest,
} from '../../base/contract/paging.ts';
import { brandIdsInScope, type BrandCounts } from './brands.ts';

/** Returns the brands within the scope, ordered by slug. */
export async function listBrands(
  tenant: Tenant,
  scope: BrandScope,
  page: PageRequest = {},
): Promise<Page<BrandCounts>> {
  const after = startAfter(page, z.tuple([z.string()]));
  // The planner doesn't know that a brand belongs to a single organization. With a condition for all held ZIP codes,
  // it would read the index of those of the organization for each brand.
  const rows = await tenant.query<BrandCounts>(
    `select id, slug, name, live, pending
     from brands b
     cross join lateral (
       select count(*) filter (where bz.state = 'live') as live,
              count(*) filter (where bz.state = 'pending') as pending
       from brand_zips bz
       where bz.organization_id = $1 and bz.brand_id = b.id) counts
     where b.organization_id = $1 and ($2::uuid[] is null or id = any($2))
       and ($3::text is null or slug collate "C" > $3)
     order by slug collate "C" limit $4`,
    [brandIdsInScope(scope), after?.[0], rowsToRead(page)],
  );
  return pageOf(rows, page, ({ slug }) => [slug]);
}
