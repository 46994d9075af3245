/** Removes live and pending ZIP codes. A removal can be undone once (undo.ts). */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../people/account/caller.ts';
import type { Tenant, TenantTransaction } from '../../people/account/tenant.ts';
import { conflict, notFound } from '../../errors.ts';
import { eventBrand, eventZips, pendingEventZips } from '../../people/events/catalog.ts';
import { recordEvent } from '../../people/events/events.ts';
import { joinFirst, pluralize } from '../../base/text/words.ts';
import { recordActivity } from '../../people/account/activity.ts';
import { lockBrands, type Brand } from './brands.ts';
import { IS_HELD } from './held-conditions.ts';
import { validateZips } from './validate-zips.ts';

/** The ZIP codes by outcome. Lists are sorted. */
export interface RemovableZips {
  live: string[];
  /** Pending ZIP codes, whose reviews are withdrawn */
  pending: string[];
  /** ZIP codes that the brand doesn't hold, which are ignored */
  notHeld: string[];
  /** Pending ZIP codes of a change, which only a decision on it, or its withdrawal, can remove. They are ignored */
  inChange: string[];
  /** Those of the live ZIP codes that an open change removes already */
  leaving: string[];
}

export interface Removed extends RemovableZips {
  /** Id of the snapshot that undoes the removal, once */
  removalId: string;
}

interface AnyNumber {
  /** Whether there may be more than one change can name, such as what an import gave a brand */
  isAnyNumber?: boolean;
}

/**
 * Returns what a removal would do, without changing anything.
 * @throws ServiceError 400 for malformed, no, or too many ZIP codes; 404 if the brand holds none of
 *   them; 409 if all that it holds are requested by changes
 */
export async function previewRemove(
  tenant: Tenant,
  brand: Brand,
  zips: readonly string[],
  { isAnyNumber = false }: AnyNumber = {},
): Promise<RemovableZips> {
  const requested = validateZips(zips, isAnyNumber ? Infinity : undefined);
  const rows = await tenant.query<{ zip: string; state: 'live' | 'pending'; waits: boolean }>(
    `select bz.zip, bz.state, exists (
       select from change_zips cz
       where cz.organization_id = $1 and cz.brand_id = bz.brand_id and cz.zip = bz.zip and cz.is_open
     ) as waits
     from brand_zips bz
     where bz.organization_id = $1 and bz.brand_id = $2 and bz.zip = any($3) and ${IS_HELD}
     order by bz.zip`,
    [brand.id, requested],
  );
  if (rows.length === 0) {
    throw notFound(
      `${brand.name} holds none of these ZIP codes: ${joinFirst(requested)}. Choose ones that it holds.`,
    );
  }
  const inChange = rows.filter(({ state, waits }) => state === 'pending' && waits);
  if (inChange.length === rows.length) {
    throw conflict(
      `${joinFirst(zipsOf(inChange))}: requested by a change of several ZIP codes, which is decided as one. Withdraw that change, or have it rejected.`,
    );
  }
  const held = new Set(zipsOf(rows));
  return {
    live: zipsOf(rows.filter(({ state }) => state === 'live')),
    pending: zipsOf(rows.filter(({ state, waits }) => state === 'pending' && !waits)),
    notHeld: requested.filter((zip) => !held.has(zip)),
    inChange: zipsOf(inChange),
    leaving: zipsOf(rows.filter(({ state, waits }) => state === 'live' && waits)),
  };
}

const zipsOf = (rows: readonly { zip: string }[]) => rows.map(({ zip }) => zip);

/** Removes ZIP codes. @throws as `previewRemove` */
export async function removeZips(
  tx: TenantTransaction,
  actor: Actor,
  brand: Brand,
  {
    zips,
    reason,
    changeId,
    isAnyNumber = false,
  }: AnyNumber & {
    zips: readonly string[];
    reason?: string | undefined;
    /** The change that removes them, which undoes the removal with its other parts */
    changeId?: string | undefined;
  },
): Promise<Removed> {
  lockBrands(tx, [brand.id]);
  const removable = await previewRemove(tx, brand, zips, { isAnyNumber });
  const removed = [...removable.live, ...removable.pending].sort();

  const removalId = takeSnapshot(tx, actor, brand, removed, changeId);
  tx.defer(
    `update reviews set status = 'withdrawn', decided_by = $4, decided_at = statement_timestamp()
     where organization_id = $1 and brand_id = $2 and zip = any($3) and status = 'pending'`,
    [brand.id, removable.pending, actor],
  );
  // What a change would have removed on its day is gone now. If the removal is undone, the change removes it again.
  tx.defer(
    `update change_zips set is_open = false
     where organization_id = $1 and brand_id = $2 and zip = any($3) and is_open and part = 'removed'`,
    [brand.id, removable.live],
  );
  tx.defer(
    `update brand_zips set state = 'removed', changed_at = statement_timestamp()
     where organization_id = $1 and brand_id = $2 and zip = any($3)`,
    [brand.id, removed],
  );
  const why = reason?.trim() ? ` Reason: ${reason.trim()}` : '';
  const wasPending = new Set(removable.pending);
  recordActivity(tx, {
    actor,
    action: 'territory_removed',
    brandId: brand.id,
    summary: `Removed ${pluralize(removed.length, 'ZIP code')} from ${brand.name}: ${joinFirst(removed)}.${why}`,
    zips: removed,
    before: Object.fromEntries(
      removed.map((zip) => [zip, wasPending.has(zip) ? 'pending' : 'live']),
    ),
    after: Object.fromEntries(removed.map((zip) => [zip, 'removed'])),
    removalId,
    changeId,
  });
  recordEvent(tx, {
    type: 'territory.removed',
    actor,
    brandId: brand.id,
    data: {
      brand: eventBrand(brand),
      ...eventZips(removable.live),
      ...pendingEventZips(removable.pending),
      removalId,
      reason: reason?.trim() || null,
      ...(changeId === undefined ? {} : { changeId }),
    },
  });
  return { ...removable, removalId };
}

/** Records the state of ZIP codes before their removal. @returns the removal's id */
function takeSnapshot(
  tx: TenantTransaction,
  actor: Actor,
  brand: Brand,
  zips: readonly string[],
  changeId: string | undefined,
): string {
  const id = randomUUID();
  tx.defer(
    `insert into removals (organization_id, id, brand_id, removed_by, change_id)
     values ($1, $2, $3, $4, $5)`,
    [id, brand.id, actor, changeId],
  );
  tx.defer(
    `insert into removal_zips
       (organization_id, removal_id, zip, state_before, changed_at_before, review_id, planned_by)
     select $1, $2, bz.zip, bz.state, bz.changed_at, r.id, cz.change_id
     from brand_zips bz
     left join reviews r on r.brand_id = bz.brand_id and r.zip = bz.zip and r.status = 'pending'
     left join change_zips cz
       on cz.brand_id = bz.brand_id and cz.zip = bz.zip and cz.is_open and cz.part = 'removed'
     where bz.organization_id = $1 and bz.brand_id = $3 and bz.zip = any($4)`,
    [id, brand.id, zips],
  );
  return id;
}
