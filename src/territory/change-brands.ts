/**
 * Changes the territories of several brands at once, all or none. Additions go to review, and removals take effect
 * with one undo per brand.
 */
import type { Actor } from '../account/caller.ts';
import type { TenantTransaction } from '../account/tenant.ts';
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
 * @param note note for reviewers and the activity
 * @throws ServiceError as `applyZips` and `removeZips`
 */
export async function changeBrands(
  tx: TenantTransaction,
  actor: Actor,
  changes: readonly BrandChange[],
  note: string | undefined,
): Promise<MadeChange[]> {
  lockBrands(
    tx,
    changes.map(({ brand }) => brand.id),
  );
  const made: MadeChange[] = [];
  for (const { brand, added, removed } of changes) {
    made.push({
      brand,
      requested: added.length > 0 ? await applyZips(tx, actor, brand, { zips: added, note }) : null,
      removed:
        removed.length > 0
          ? await removeZips(tx, actor, brand, { zips: removed, reason: note })
          : null,
    });
  }
  return made;
}
