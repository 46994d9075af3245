/**
 * Undoes a removal with its snapshot: restores each ZIP code's status and time of change, and reopens the reviews that
 * the removal withdrew. ZIP codes that the brand holds again stay unchanged.
 */
import type { Actor } from '../account/caller.ts';
import type { Tenant, TenantDatabase, TenantTransaction } from '../account/tenant.ts';
import { conflict, notFound } from '../errors.ts';
import { eventBrand, eventZips, pendingEventZips } from '../events/catalog.ts';
import { recordEvent } from '../events/events.ts';
import { joinFirst, pluralize } from '../text/words.ts';
import { recordActivity } from './activity.ts';
import { lockBrands, type Brand } from './brands.ts';
import { otherHoldersJson } from './other-holders.ts';

export interface Undone {
  removalId: string;
  brand: Brand;
  /**
   * Restored ZIP codes with their state, and the other brands of the organization that hold them
   */
  restored: { zip: string; state: 'pending' | 'live'; sharedWith: Brand[] }[];
  /** ZIP codes that stay unchanged because the brand requested them again, with their current state */
  heldAgain: { zip: string; state: 'pending' | 'live' }[];
}

/**
 * Undoes a removal.
 * @throws ServiceError 404 if the organization has no such removal; 409 if it was already undone or the brand holds
 *   all of its ZIP codes again
 */
export function undoRemoval(
  tenant: TenantDatabase,
  actor: Actor,
  removalId: string,
): Promise<Undone> {
  return tenant.transaction(async (tx) => {
    const brand = await lockRemoval(tx, removalId);
    const snapshot = await readSnapshot(tx, removalId, brand);
    const restored = snapshot.filter(({ now }) => !isHeld(now));
    const heldAgain = snapshot.filter(({ now }) => isHeld(now));
    if (restored.length === 0) {
      throw conflict(
        `${brand.name} already holds all ZIP codes of this removal again: ${joinFirst(zipsOf(heldAgain))}. There is nothing to undo.`,
      );
    }

    tx.defer(
      `update removals set undone_at = statement_timestamp() where organization_id = $1 and id = $2`,
      [removalId],
    );
    restore(tx, removalId, brand, zipsOf(restored));
    const unchanged =
      heldAgain.length > 0
        ? ` Already held again and left unchanged: ${joinFirst(zipsOf(heldAgain))}.`
        : '';
    recordActivity(tx, {
      actor,
      action: 'removal_undone',
      brandId: brand.id,
      summary: `Undid a removal and restored ${pluralize(restored.length, 'ZIP code')} of ${brand.name}: ${joinFirst(zipsOf(restored))}.${unchanged}`,
      zips: zipsOf(restored),
      before: Object.fromEntries(restored.map(({ zip, now }) => [zip, now])),
      after: Object.fromEntries(restored.map(({ zip, before }) => [zip, before])),
      removalId,
    });
    const restoredAs = (state: Snapshot['before']) =>
      zipsOf(restored.filter(({ before }) => before === state));
    recordEvent(tx, {
      type: 'territory.restored',
      actor,
      brandId: brand.id,
      data: {
        brand: eventBrand(brand),
        ...eventZips(restoredAs('live')),
        ...pendingEventZips(restoredAs('pending')),
        removalId,
      },
    });
    return {
      removalId,
      brand,
      restored: restored.map(({ zip, before, sharedWith }) => ({ zip, state: before, sharedWith })),
      heldAgain: heldAgain.map(({ zip, now }) => ({ zip, state: now as 'pending' | 'live' })),
    };
  });
}

const isHeld = (state: Snapshot['now']) => state === 'pending' || state === 'live';
const zipsOf = (snapshot: readonly Snapshot[]) => snapshot.map(({ zip }) => zip);

/** Locks and returns the brand of a removal that can still be undone. */
async function lockRemoval(tx: TenantTransaction, removalId: string): Promise<Brand> {
  const [brand] = await tx.query<Brand>(
    `select b.id, b.slug, b.name from removals r join brands b on b.id = r.brand_id
     where r.organization_id = $1 and r.id::text = $2`,
    [removalId],
  );
  if (!brand) {
    throw notFound(
      `There is no removal ${removalId}. The brand’s activity lists the ids of its removals.`,
    );
  }
  lockBrands(tx, [brand.id]);
  const [removal] = await tx.query<{ undoneAt: Date | null }>(
    `select undone_at as "undoneAt" from removals where organization_id = $1 and id = $2`,
    [removalId],
  );
  if (!removal!.undoneAt) return brand;
  const when = removal!.undoneAt.toISOString();
  throw conflict(
    `This removal was already undone at ${when}. The activity shows the later changes.`,
  );
}

interface Snapshot {
  zip: string;
  before: 'pending' | 'live';
  /** Null if the brand had never held the ZIP code and a request was rejected since */
  now: 'pending' | 'live' | 'removed' | null;
  sharedWith: Brand[];
}

async function readSnapshot(tx: Tenant, removalId: string, brand: Brand): Promise<Snapshot[]> {
  return tx.query<Snapshot>(
    `select rz.zip, rz.state_before as before, bz.state as now,
       ${otherHoldersJson('rz.zip', '$3')} as "sharedWith"
     from removal_zips rz
     left join brand_zips bz
       on bz.organization_id = $1 and bz.brand_id = $3 and bz.zip = rz.zip
     where rz.organization_id = $1 and rz.removal_id = $2
     order by rz.zip`,
    [removalId, brand.id],
  );
}

function restore(
  tx: TenantTransaction,
  removalId: string,
  brand: Brand,
  zips: readonly string[],
): void {
  tx.defer(
    `insert into brand_zips (organization_id, brand_id, zip, state, changed_at)
     select $1, $3, zip, state_before, changed_at_before from removal_zips
     where organization_id = $1 and removal_id = $2 and zip = any($4)
     on conflict (brand_id, zip) do update
       set state = excluded.state, changed_at = excluded.changed_at`,
    [removalId, brand.id, zips],
  );
  tx.defer(
    `update reviews r set status = 'pending', decided_by = null, decided_at = null
     from removal_zips rz
     where r.organization_id = $1 and rz.removal_id = $2 and rz.zip = any($3) and r.id = rz.review_id`,
    [removalId, zips],
  );
}
