/** Requests the ZIP codes of an import. */
import type { Actor } from '../../account/caller.ts';
import type { TenantDatabase } from '../../account/tenant.ts';
import { applyZips } from '../apply.ts';
import type { Brand } from '../brands.ts';
import { batchesOf } from './batches.ts';

/**
 * Requests any number of ZIP codes with `applyZips`, in one transaction.
 * @returns the number of ZIP codes now pending review
 */
export async function importZips(
  tenant: TenantDatabase,
  actor: Actor,
  brand: Brand,
  { zips, note }: { zips: readonly string[]; note?: string | undefined },
): Promise<number> {
  return tenant.transaction(async (tx) => {
    let queued = 0;
    for (const batch of batchesOf(zips)) {
      queued += (await applyZips(tx, actor, brand, { zips: batch, note })).queued.length;
    }
    return queued;
  });
}
