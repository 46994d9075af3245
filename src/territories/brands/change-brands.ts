/**
 * Changes the territories of several brands at once, all or none. Additions go to review, and removals take effect
 * with one undo per brand. Removals come first, so that a brand can request what another one gives up.
 */
import type { Actor } from '../../people/account/caller.ts';
import type { TenantTransaction } from '../../people/account/tenant.ts';
import { applyZips, type Applied } from './apply.ts';
import { lockBrands, type Brand } from './brands.ts';
import { removeZips, type Removed } from './remove.ts';

export interface BrandChange {
  brand: Brand;
  /** ZIP codes to request */
  added: readonly string[];
  /** ZIP codes to remove. The brand holds at least one of them. */
  removed: readonly string[];
}

export interface MadeChange {
  brand: Brand;
  /** Null if nothing was requested */
  requested: Applied | null;
  /** Null if nothing was removed */
  removed: Removed | null;
}

/**
 * @param options a note for reviewers and the activity, and the brands whose names refusals may contain
 * @throws ServiceError as `applyZips` and `removeZips`
 */
export async function changeBrands(
  tx: TenantTransaction,
  actor: Actor,
  changes: readonly BrandChange[],
  { note }: { note: string | undefined },
): Promise<MadeChange[]> {
  lockBrands(
    tx,
    changes.map(({ brand }) => brand.id),
  );
  const made: MadeChange[] = [];
  for (const { brand, removed: zips } of changes) {
    const removed =
      zips.length > 0 ? await removeZips(tx, actor, brand, { zips, reason: note }) : null;
    made.push({ brand, requested: null, removed });
  }
  for (const [i, { brand, added: zips }] of changes.entries()) {
    if (zips.length === 0) continue;
    made[i]!.requested = await applyZips(tx, actor, brand, { zips, note, naming: 'known' });
  }
  return made;
}
