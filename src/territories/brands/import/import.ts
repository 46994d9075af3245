/** Requests the ZIP codes of an import. */
import type { Actor } from '../../../people/account/caller.ts';
import type { TenantDatabase } from '../../../people/account/tenant.ts';
import { lockBrands, type Brand } from '../brands.ts';
import { changeBrands } from '../changes/change-brands.ts';
import { previewChange } from '../changes/preview.ts';
import { batchesOf } from '../validate-zips.ts';

/**
 * Requests any number of ZIP codes as one change: in one transaction, reviewed as one, and undone as one.
 * @returns the numbers of ZIP codes that are now pending review or live, and of those that are live
 */
export async function importZips(
  tenant: TenantDatabase,
  actor: Actor,
  brand: Brand,
  { zips, note }: { zips: readonly string[]; note?: string | undefined },
): Promise<{ queued: number; live: number }> {
  const changes = batchesOf(zips).map((added) => ({ brand, added, removed: [] }));
  const options = { source: 'import', note } as const;
  return tenant.transaction(async (tx) => {
    lockBrands(tx, [brand.id]);
    const effect = await previewChange(tx, actor, changes, options);
    // The brand may hold all of them by now.
    if (effect.parts.every(({ requested }) => requested?.queued.length === 0)) {
      return { queued: 0, live: 0 };
    }
    const { status, parts } = await changeBrands(tx, actor, changes, options);
    const queued = parts.reduce((sum, { requested }) => sum + (requested?.queued.length ?? 0), 0);
    return { queued, live: status === 'live' ? queued : 0 };
  });
}
