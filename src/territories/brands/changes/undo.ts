/** Undoes live changes as one: what brands got leaves them, and what they gave up returns, in one transaction. */
import type { Caller } from '../../../people/account/caller.ts';
import type { Tenant, TenantTransaction } from '../../../people/account/tenant.ts';
import { conflict, ServiceError } from '../../../errors.ts';
import { joinFirst } from '../../../base/text/words.ts';
import type { Brand } from '../brands.ts';
import { settleUnderLock } from '../groups/facts.ts';
import { groupRefusals, listRefusals } from '../groups/refusal-words.ts';
import { BRAND_JSON } from '../named-brands.ts';
import { removeZips } from '../remove.ts';
import { isHeld, readSnapshot, restoreRemoval, tellRestored, type Snapshot } from '../undo.ts';
import { findChange, isOpen, requireWhole, type Change } from './read.ts';
import { leavingOf, lockChange } from './settle.ts';
import { byBrand, type BrandParts } from './tell.ts';

export interface UndonePart {
  brand: Brand;
  /** ZIP codes that the brand got by the change and holds no more, sorted */
  removed: string[];
  /** ZIP codes that it gave up and holds again, sorted */
  restored: string[];
}

export interface UndoneChange {
  change: Change;
  parts: UndonePart[];
  /** ZIP codes that someone has changed since. They stay as they are now. Sorted */
  changedSince: string[];
}

/** What undoing a change would do */
interface Reverse {
  removed: { brand: Brand; zip: string }[];
  restored: (Snapshot & { brand: Brand; removalId: string })[];
  changedSince: string[];
}

/**
 * Undoes a live change. Only people do: a key asks for the reverse change, which a person reviews (`reverseOf`).
 * @throws ServiceError 403 `role_required` for keys, `brand_out_of_scope`; 404; 409 if it isn't live, if all of it has
 *   changed since, or if a rule of a group keeps a part from being restored
 */
export async function undoChange(
  tx: TenantTransaction,
  { actor, brandScope }: Pick<Caller, 'actor' | 'brandScope'>,
  id: string,
): Promise<UndoneChange> {
  if (actor.kind === 'key') {
    throw new ServiceError(
      403,
      'role_required',
      'Only people undo changes. Ask for it with a request, which a person reviews.',
    );
  }
  requireLive(await findChange(tx, brandScope, id));
  await lockChange(tx, id);
  requireLive(await findChange(tx, brandScope, id));
  const { removed, restored, changedSince } = await readReverse(tx, id);
  if (removed.length + restored.length === 0) {
    throw conflict(
      `All ZIP codes of this change have changed since: ${joinFirst(changedSince)}. There is nothing to undo.`,
    );
  }
  const { refused } = await settleUnderLock(
    tx,
    restored.filter(({ before }) => before === 'live'),
    { on: null, countsPlanned: true, leaving: leavingOf(removed) },
  );
  if (refused.length > 0) {
    throw conflict(
      `Nothing was undone: ${listRefusals(groupRefusals(refused))}. A change is undone as one. ` +
        'Undo it when this no longer applies, or request its ZIP codes again.',
    );
  }

  const all = tx.acrossBrands;
  const parts: UndonePart[] = [];
  for (const { brand, added: zips, removed: back } of byBrand({
    added: removed,
    removed: restored,
  })) {
    if (zips.length > 0) {
      const removal = { zips, reason: 'A change was undone', isAnyNumber: true };
      await removeZips(all, actor, brand, removal);
    }
    const ofBrand = restored.filter((one) => one.brand.id === brand.id);
    const removalId = ofBrand[0]?.removalId;
    if (removalId !== undefined) {
      restoreRemoval(all, removalId, brand, back);
      tellRestored(all, actor, { removalId, brand, restored: ofBrand, further: '', changeId: id });
    }
    parts.push({ brand, removed: zips, restored: back });
  }
  all.defer(
    `update changes set status = 'undone', ended_by = $3, ended_at = statement_timestamp()
     where organization_id = $1 and id = $2`,
    [id, actor],
  );
  return { change: await findChange(tx, brandScope, id), parts, changedSince };
}

/** Returns the parts of the change that reverts a live change, for a request. @throws as `undoChange` */
export async function reverseOf(
  tenant: Tenant,
  { brandScope }: Pick<Caller, 'brandScope'>,
  id: string,
): Promise<{ parts: BrandParts[]; changedSince: string[] }> {
  requireLive(await findChange(tenant, brandScope, id));
  const { removed, restored, changedSince } = await readReverse(tenant, id);
  if (removed.length + restored.length === 0) {
    throw conflict(
      `All ZIP codes of this change have changed since: ${joinFirst(changedSince)}. There is nothing to undo.`,
    );
  }
  return { parts: byBrand({ added: restored, removed }), changedSince };
}

function requireLive(change: Change): void {
  requireWhole(change);
  if (change.status === 'live') return;
  throw conflict(
    isOpen(change)
      ? 'The change isn’t live yet. Withdraw it instead.'
      : `The change was ${change.status}, so there is nothing to undo.`,
  );
}

async function readReverse(tenant: Tenant, changeId: string): Promise<Reverse> {
  const added = await tenant.acrossBrands.query<{ brand: Brand; zip: string; isSame: boolean }>(
    `select ${BRAND_JSON} as brand, cz.zip,
       coalesce(bz.state = 'live' and bz.changed_at <= c.live_at, false) as "isSame"
     from change_zips cz
     join changes c on c.id = cz.change_id
     join brands b on b.id = cz.brand_id
     left join brand_zips bz on bz.organization_id = $1 and bz.brand_id = cz.brand_id and bz.zip = cz.zip
     where cz.organization_id = $1 and cz.change_id = $2 and cz.part = 'added' and cz.refused is null
     order by b.slug, cz.zip`,
    [changeId],
  );
  const removals = await tenant.acrossBrands.query<{ id: string; brand: Brand }>(
    `select r.id, ${BRAND_JSON} as brand from removals r join brands b on b.id = r.brand_id
     where r.organization_id = $1 and r.change_id = $2 and r.undone_at is null order by b.slug`,
    [changeId],
  );
  const restored: Reverse['restored'] = [];
  for (const { id: removalId, brand } of removals) {
    const snapshot = await readSnapshot(tenant, removalId, brand);
    restored.push(...snapshot.map((one) => ({ ...one, brand, removalId })));
  }
  // What has passed on since, such as to a third brand, doesn't return, so that it isn't held twice.
  const passedOn = new Set(added.filter(({ isSame }) => !isSame).map(({ zip }) => zip));
  const stays = ({ zip, now }: Snapshot) => isHeld(now) || passedOn.has(zip);
  return {
    removed: added.filter(({ isSame }) => isSame).map(({ brand, zip }) => ({ brand, zip })),
    restored: restored.filter((one) => !stays(one)),
    changedSince: [
      ...new Set([...passedOn, ...restored.filter(stays).map(({ zip }) => zip)]),
    ].sort(),
  };
}
