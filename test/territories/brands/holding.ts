/** Gives ZIP codes to brands. */
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { approveReviews } from '../../../src/territories/brands/review.ts';
import { agent, reviewer } from './organization.ts';

/** The usual way: request, then approval. */
export async function hold(
  tenant: TenantDatabase,
  brand: Brand,
  zips: Iterable<string>,
  status: 'live' | 'pending' = 'live',
): Promise<void> {
  await tenant.transaction(async (tx) => {
    const { batchId } = await applyZips(tx, agent, brand, { zips: [...zips] });
    if (status === 'live') await approveReviews(tx, reviewer, { batchId: batchId! });
  });
}

/** Stores ZIP codes as live or pending without a request, so that they need no boundary and make no history. */
export const storeZips = (
  tenant: TenantDatabase,
  brand: Brand,
  zips: readonly string[],
  pending: readonly string[] = [],
) =>
  tenant.query(
    `insert into brand_zips (organization_id, brand_id, zip, state)
     select $1, $2, zip, case when zip = any($4) then 'pending' else 'live' end
     from unnest($3::text[]) as t (zip)`,
    [brand.id, zips, pending],
  );
