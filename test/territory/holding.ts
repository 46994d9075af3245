/** Gives ZIP codes to brands in the usual way: request, then approval. */
import type { TenantDatabase } from '../../src/account/tenant.ts';
import { applyZips } from '../../src/territory/apply.ts';
import type { Brand } from '../../src/territory/brands.ts';
import { approveReviews } from '../../src/territory/review.ts';
import { agent, reviewer } from './organization.ts';

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
