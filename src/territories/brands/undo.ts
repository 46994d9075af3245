/**
 * Undoes a removal with its snapshot: restores each ZIP code's status and time of change, reopens the reviews that the
 * removal withdrew, and lets open changes remove the ZIP codes again. ZIP codes that the brand holds again stay unchanged, and so do those that a rule of a group gives
 * to another brand or reserves.
 */
import { otherHoldersJson } from './held-conditions.ts';
import type { Actor } from '../../people/account/caller.ts';
import type { Tenant, TenantDatabase, TenantTransaction } from '../../people/account/tenant.ts';
import { conflict, notFound } from '../../errors.ts';
import { eventBrand, eventZips, pendingEventZips } from '../../people/events/catalog.ts';
import { recordEvent } from '../../people/events/events.ts';
import { joinFirst, pluralize } from '../../base/text/words.ts';
import { recordActivity } from '../../people/account/activity.ts';
import { heldZipStatuses } from './brand-zips.ts';
import { lockBrands, type Brand } from './brands.ts';
import { readRuleFacts, settleUnderLock } from './groups/facts.ts';
import {
  explainRefusal,
  groupRefusals,
  listRefusals,
  type RefusedZips,
} from './groups/refusal-words.ts';
import { settleClaims } from './groups/rules.ts';

export interface Undone {
  removalId: string;
  brand: Brand;
  /**
   * Restored ZIP codes with their state, and the other brands of the organization that hold them
   */
  restored: { zip: string; state: 'pending' | 'live'; sharedWith: Brand[] }[];
  /** ZIP codes that stay unchanged because the brand requested them again, with their current state */
  heldAgain: { zip: string; state: 'pending' | 'live' }[];
  /** ZIP codes that a rule of a group refuses, by reason */
  refused: RefusedZips[];
}

/**
 * Undoes a removal.
 * @throws ServiceError 404 if the organization has no such removal; 409 if it was already undone, if it's part of a change,
 *   or if none of its ZIP codes can be restored
 */
export function undoRemoval(
  tenant: TenantDatabase,
  actor: Actor,
  removalId: string,
): Promise<Undone> {
  return tenant.transaction(async (tx) => {
    const brand = await lockRemoval(tx, removalId);
    const snapshot = await readSnapshot(tx, removalId, brand);
    const heldAgain = snapshot.filter(({ now }) => isHeld(now));
    const { allowed: restored, refused } = await settleUnderLock(
      tx,
      snapshot.filter(({ now }) => !isHeld(now)).map((one) => ({ ...one, brand })),
    );
    if (restored.length === 0 && refused.length > 0) {
      throw conflict(
        `Nothing was restored: ${listRefusals(groupRefusals(refused))}. ` +
          'Undo the removal when this no longer applies.',
      );
    }
    if (restored.length === 0) {
      throw conflict(
        `${brand.name} already holds all ZIP codes of this removal again: ${joinFirst(zipsOf(heldAgain))}. There is nothing to undo.`,
      );
    }

    restoreRemoval(tx, removalId, brand, zipsOf(restored));
    // Everyone with access to the brand can read these reasons, so they don't name other brands.
    recordNotRestored(
      tx,
      removalId,
      refused.map(({ zip, refusal }) => ({ zip, reason: explainRefusal(refusal, 'none') })),
    );
    const notRestored =
      refused.length > 0 ? ` Not restored: ${listRefusals(groupRefusals(refused, 'none'))}.` : '';
    const unchanged =
      heldAgain.length > 0
        ? ` Already held again and left unchanged: ${joinFirst(zipsOf(heldAgain))}.`
        : '';
    tellRestored(tx, actor, { removalId, brand, restored, further: unchanged + notRestored });
    return {
      removalId,
      brand,
      restored: restored.map(({ zip, before, sharedWith }) => ({ zip, state: before, sharedWith })),
      heldAgain: heldAgain.map(({ zip, now }) => ({ zip, state: now as 'pending' | 'live' })),
      refused: groupRefusals(refused),
    };
  });
}

/** Tells that a removal was undone. @param further sentences about what wasn't restored */
export function tellRestored(
  tx: TenantTransaction,
  actor: Actor,
  {
    removalId,
    brand,
    restored,
    further,
    changeId,
  }: {
    removalId: string;
    brand: Brand;
    restored: readonly Pick<Snapshot, 'zip' | 'before' | 'now'>[];
    further: string;
    changeId?: string;
  },
): void {
  const what = changeId === undefined ? 'a removal' : 'a change';
  recordActivity(tx, {
    actor,
    action: 'removal_undone',
    brandId: brand.id,
    summary: `Undid ${what} and restored ${pluralize(restored.length, 'ZIP code')} of ${brand.name}: ${joinFirst(zipsOf(restored))}.${further}`,
    zips: zipsOf(restored),
    before: Object.fromEntries(restored.map(({ zip, now }) => [zip, now])),
    after: Object.fromEntries(restored.map(({ zip, before }) => [zip, before])),
    removalId,
    changeId,
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
      ...(changeId === undefined ? {} : { changeId }),
    },
  });
}

export const isHeld = (state: Snapshot['now']) => state === 'pending' || state === 'live';
const zipsOf = (snapshot: readonly { zip: string }[]) => snapshot.map(({ zip }) => zip);

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
  const [removal] = await tx.query<{ undoneAt: Date | null; changeId: string | null }>(
    `select undone_at as "undoneAt", change_id as "changeId" from removals where organization_id = $1 and id = $2`,
    [removalId],
  );
  if (removal!.changeId !== null) {
    throw conflict(
      `This removal is part of the change ${removal!.changeId}, which is undone as one. Undo the change.`,
    );
  }
  if (!removal!.undoneAt) return brand;
  const when = removal!.undoneAt.toISOString();
  throw conflict(
    `This removal was already undone at ${when}. The activity shows the later changes.`,
  );
}

/** A removed ZIP code */
export interface Snapshot {
  zip: string;
  before: 'pending' | 'live';
  /** Null if the brand had never held the ZIP code and a request was rejected since */
  now: 'pending' | 'live' | 'removed' | null;
  sharedWith: Brand[];
}

/** Returns what a removal removed, and the state now. */
export async function readSnapshot(
  tx: Tenant,
  removalId: string,
  brand: Brand,
): Promise<Snapshot[]> {
  return tx.acrossBrands.query<Snapshot>(
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

/** Restores ZIP codes of a removal, with their reviews and what open changes plan for them, and ends it. */
export function restoreRemoval(
  tx: TenantTransaction,
  removalId: string,
  brand: Brand,
  zips: readonly string[],
): void {
  tx.defer(
    `update removals set undone_at = statement_timestamp() where organization_id = $1 and id = $2`,
    [removalId],
  );
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
  tx.defer(
    `update change_zips cz set is_open = true
     from removal_zips rz join changes c on c.organization_id = $1 and c.id = rz.planned_by
     where cz.organization_id = $1 and rz.removal_id = $2 and rz.zip = any($4) and cz.change_id = c.id
       and cz.brand_id = $3 and cz.zip = rz.zip and c.status in ('waiting', 'scheduled', 'blocked')`,
    [removalId, brand.id, zips],
  );
}

function recordNotRestored(
  tx: TenantTransaction,
  removalId: string,
  refused: readonly { zip: string; reason: string }[],
): void {
  if (refused.length === 0) return;
  tx.defer(
    `update removal_zips rz set not_restored = refused.reason
     from unnest($3::text[], $4::text[]) as refused (zip, reason)
     where rz.organization_id = $1 and rz.removal_id = $2 and rz.zip = refused.zip`,
    [removalId, refused.map(({ zip }) => zip), refused.map(({ reason }) => reason)],
  );
}

/**
 * Returns the ZIP codes of removals that undoing each would not restore now, by the removal's id. Removals without such
 * ZIP codes are missing.
 */
export async function previewUndo(
  tenant: Tenant,
  brand: Brand,
  removals: readonly { id: string; zips: readonly string[] }[],
): Promise<Map<string, UndoPreview>> {
  const zips = [...new Set(removals.flatMap((removal) => removal.zips))];
  if (zips.length === 0) return new Map();
  const [facts, held] = await Promise.all([
    readRuleFacts(tenant, [brand.id], zips),
    heldZipStatuses(tenant, brand),
  ]);
  const previews = removals.map(({ id, zips }) => {
    const open = zips.filter((zip) => !held.has(zip)).map((zip) => ({ brand, zip }));
    const { allowed, refused } = settleClaims(open, facts);
    const preview = { refused: groupRefusals(refused), restorable: allowed.length };
    return [id, preview] as const;
  });
  return new Map(previews.filter(([, { refused }]) => refused.length > 0));
}

/**
 * Returns the ZIP codes that an undo couldn't restore if a brand gave them up now, by reason: others hold them, or they
 * are reserved.
 */
export async function unrestorable(
  tenant: Tenant,
  brand: Brand,
  zips: readonly string[],
): Promise<RefusedZips[]> {
  const facts = await readRuleFacts(tenant, [brand.id], zips);
  const claims = zips.map((zip) => ({ brand, zip }));
  return groupRefusals(settleClaims(claims, facts).refused);
}

export interface UndoPreview {
  /** ZIP codes that a rule of a group refuses, by reason */
  refused: RefusedZips[];
  /** Number of ZIP codes that an undo would restore */
  restorable: number;
}
