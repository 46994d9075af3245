/** Requests the ZIP codes of an import. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../../people/account/caller.ts';
import type { TenantDatabase } from '../../../people/account/tenant.ts';
import { applyZips } from '../apply.ts';
import type { Brand } from '../brands.ts';
import { batchesOf } from '../validate-zips.ts';

/**
 * Requests any number of ZIP codes with `applyZips`, in one transaction.
 * @returns the numbers of ZIP codes that are now pending review or live, and of those that are live
 */
export async function importZips(
  tenant: TenantDatabase,
  actor: Actor,
  brand: Brand,
  { zips, note }: { zips: readonly string[]; note?: string | undefined },
): Promise<{ queued: number; live: number }> {
  return tenant.transaction(async (tx) => {
    const sums = { queued: 0, live: 0 };
    // One request, however many ZIP codes it has
    const batchId = randomUUID();
    for (const batch of batchesOf(zips)) {
      const { queued, live } = await applyZips(tx, actor, brand, { zips: batch, note, batchId });
      sums.queued += queued.length;
      sums.live += live.length;
    }
    return sums;
  });
}
