/** Saves live territories: a preview of each brand's requests and removals, the change, and undoing it. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Tenant } from '../../../../people/account/tenant.ts';
import { answerOnce } from '../../../../people/metering/idempotent.ts';
import { badRequest, notFound } from '../../../../errors.ts';
import { previewApply, type ApplyOutcome } from '../../../../territories/brands/apply.ts';
import { heldZipStatuses } from '../../../../territories/brands/brand-zips.ts';
import { findBrand, lockBrands, type Brand } from '../../../../territories/brands/brands.ts';
import {
  changeBrands,
  type MadeChange,
  type MadePart,
} from '../../../../territories/brands/changes/change-brands.ts';
import {
  previewChange,
  refusedZips,
  type BrandChange,
} from '../../../../territories/brands/changes/preview.ts';
import { changeDay, type ChangeDay } from '../../../../territories/brands/changes/day.ts';
import { plannedZips } from '../../../../territories/brands/changes/read.ts';
import { undoChange } from '../../../../territories/brands/changes/undo.ts';
import { effectOfChange, type TerritorySummary } from '../../../../territories/brands/effect.ts';
import { listRemovals } from '../../../../territories/brands/removals.ts';
import { undoRemoval } from '../../../../territories/brands/undo.ts';
import { validateZips } from '../../../../territories/brands/validate-zips.ts';
import type { MemberData } from '../../framework/data.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import { checkedRemark, readOnceKey } from '../../account/brands/brand/change-fields.ts';
import type {
  LivePreview,
  LivePreviewAnswer,
  LiveSaved,
  LiveSavedAnswer,
  LiveSummary,
  LiveUndoneAnswer,
} from '../browser/saving/live-change.ts';

const previewRoute: MemberData = {
  audience: 'member',
  method: 'post',
  path: '/account/map/changes/preview.json',
  async answer(visit, fields) {
    const { tenant, actor } = visit.caller;
    const changes = await readChanges(visit, fields);
    const on = await readDay(tenant, fields);
    const previews: LivePreview[] = [];
    let withheld: string | null = null;
    // One after another, because each measures the borders of the country.
    const removals = new Map(changes.map(({ brand, removed }) => [brand.id, new Set(removed)]));
    const asked: AskedChange[] = [];
    for (const change of changes) asked.push(await askFor(visit, change, { removals, on }));
    const stays = refusedZips(asked.map(({ outcome }) => outcome));
    const open: BrandChange[] = [];
    for (const [i, change] of changes.entries()) {
      const { preview, reason } = await previewOf(visit, change, asked[i]!, { removals, stays });
      previews.push(preview);
      open.push({ brand: change.brand, added: preview.requested, removed: preview.removed });
      withheld ??= reason;
    }
    const { isOne, needsReview } = isEmpty(open)
      ? { isOne: false, needsReview: false }
      : await previewChange(tenant, actor, open, { source: 'save', on });
    const body: LivePreviewAnswer = { previews, once: randomUUID(), withheld, isOne, needsReview };
    return { body };
  },
};

const saveRoute: MemberData = {
  audience: 'member',
  method: 'post',
  path: '/account/map/changes.json',
  needs: 'writer',
  async answer(visit, fields) {
    const { caller } = visit;
    const note = checkedRemark(fields.get('note'));
    const key = readOnceKey(fields);
    const changes = await readChanges(visit, fields);
    const on = await readDay(caller.tenant, fields);
    const input = {
      note,
      ...(on && { on: on.day }),
      changes: changes.map(({ brand, ...zips }) => ({ brand: brand.id, ...zips })),
    };
    const call = { tool: 'page_change_territories', key, input };
    const { answer } = await caller.tenant.transaction((tx) =>
      answerOnce(tx, call, async () => {
        lockBrands(
          tx,
          changes.map(({ brand }) => brand.id),
        );
        const open: BrandChange[] = [];
        for (const change of changes) open.push((await withoutDone(tx, change)).change);
        if (isEmpty(open)) return NOTHING_SAVED;
        const made = await changeBrands(tx, caller.actor, open, { source: 'save', note, on });
        return savedAnswer(made);
      }),
    );
    return { body: answer };
  },
};

const undoRoute: MemberData = {
  audience: 'member',
  method: 'post',
  path: '/account/map/changes/undo.json',
  needs: 'writer',
  async answer(visit, fields) {
    const { caller } = visit;
    const changeId = fields.get('change') ?? '';
    if (changeId !== '') {
      const { parts, changedSince } = await caller.tenant.transaction((tx) =>
        undoChange(tx, caller, changeId),
      );
      const restored = parts.reduce((sum, one) => sum + one.restored.length, 0);
      const body: LiveUndoneAnswer = { restored, heldAgain: changedSince.length, refused: [] };
      return { body };
    }
    const brand = await findBrand(caller.tenant, caller.brandScope, fields.get('brand') ?? '');
    const id = fields.get('removal') ?? '';
    const [removal] = (await listRemovals(caller.tenant, brand, {}, id)).rows;
    if (!removal) throw notFound(`${brand.name} has no such removal.`);
    const undone = await undoRemoval(caller.tenant, caller.actor, id);
    const body: LiveUndoneAnswer = {
      restored: undone.restored.length,
      heldAgain: undone.heldAgain.length,
      refused: undone.refused,
    };
    return { body };
  },
};

export const LIVE_CHANGE_PATHS = {
  preview: previewRoute.path,
  save: saveRoute.path,
  undo: undoRoute.path,
} as const;

export const liveChangeRoutes = [previewRoute, saveRoute, undoRoute];

/** Maximum number of brands, because each is looked up and measured */
const MAX_BRANDS = 100;

const Changes = z
  .array(z.strictObject({ brand: z.string(), added: z.string(), removed: z.string() }))
  .min(1);

/** @throws ServiceError 400 for a damaged list or ZIP codes; 404 for brands that the caller has no access to */
async function readChanges(
  { caller: { tenant, brandScope } }: MemberVisit,
  fields: URLSearchParams,
): Promise<BrandChange[]> {
  const given = jsonOf(fields.get('changes') ?? '');
  if (Array.isArray(given) && given.length > MAX_BRANDS) {
    throw badRequest(
      `${given.length} brands change, and at most ${MAX_BRANDS} can be saved at a time. Undo edits until ${MAX_BRANDS} change, save, and continue.`,
    );
  }
  const read = Changes.safeParse(given);
  if (!read.success) throw badRequest('The changes can’t be read. Reload the page and try again.');
  const changes: BrandChange[] = [];
  for (const { brand, added, removed } of read.data) {
    changes.push({
      brand: await findBrand(tenant, brandScope, brand),
      added: zipList(added),
      removed: zipList(removed),
    });
  }
  const ids = new Set(changes.map(({ brand }) => brand.id));
  if (ids.size < changes.length) throw badRequest('Send one change for each brand.');
  return changes;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const zipList = (text: string): string[] => (text === '' ? [] : validateZips(text.split(' ')));

/** @throws ServiceError 400 as `changeDay` */
async function readDay(tenant: Tenant, fields: URLSearchParams): Promise<ChangeDay | null> {
  const day = fields.get('on') ?? '';
  return day === '' ? null : changeDay(tenant, day);
}

const isEmpty = (changes: readonly BrandChange[]) =>
  changes.every(({ added, removed }) => added.length + removed.length === 0);

/**
 * Omits changes that someone else has made in the meantime, and removals of what other changes include.
 * @returns the rest, and the omitted removals
 */
async function withoutDone(
  tenant: Tenant,
  { brand, added, removed }: BrandChange,
): Promise<{ change: BrandChange; inOtherChanges: string[] }> {
  const held = await heldZipStatuses(tenant, brand);
  const planned = await plannedZips(tenant, { brandIds: [brand.id], zips: removed });
  const isPlanned = new Set(planned.map(({ zip }) => zip));
  return {
    change: {
      brand,
      added: added.filter((zip) => !held.has(zip)),
      removed: removed.filter((zip) => held.has(zip) && !isPlanned.has(zip)),
    },
    inOtherChanges: removed.filter((zip) => held.has(zip) && isPlanned.has(zip)),
  };
}

const NOTHING: ApplyOutcome = {
  queued: [],
  live: [],
  shared: [],
  alreadyLive: [],
  alreadyPending: [],
  unknown: [],
  unknownReasons: [],
  refused: [],
  refusedReasons: [],
};

/** Removals by brand */
type Removals = ReadonlyMap<string, ReadonlySet<string>>;

interface AskedChange extends Awaited<ReturnType<typeof withoutDone>> {
  outcome: ApplyOutcome;
}

async function askFor(
  { caller: { tenant, actor } }: MemberVisit,
  change: BrandChange,
  { removals, on }: { removals: Removals; on: ChangeDay | null },
): Promise<AskedChange> {
  const open = await withoutDone(tenant, change);
  const { brand, added } = open.change;
  const time = { on, countsPlanned: true };
  const rules = { naming: 'known' as const, leaving: removals, by: actor, time };
  const outcome = added.length > 0 ? await previewApply(tenant, brand, added, rules) : NOTHING;
  return { ...open, outcome };
}

/** @param stays ZIP codes that no brand of the change can get, so that those that hold them keep them */
async function previewOf(
  { db, caller }: MemberVisit,
  change: BrandChange,
  { change: { brand, added, removed: asked }, inOtherChanges, outcome }: AskedChange,
  { removals, stays }: { removals: Removals; stays: ReadonlySet<string> },
): Promise<{ preview: LivePreview; reason: string | null }> {
  const removed = asked.filter((zip) => !stays.has(zip));
  const kept = asked.filter((zip) => stays.has(zip));
  const effect = await effectOfChange(db, caller, caller.brandScope, brand, {
    added: outcome.queued,
    removed,
  });
  const { before, after, newHoles, newGaps, newlyIsolated, cutOff, withheld } = effect;
  // The same save may remove a ZIP code from the other brands that hold it.
  const freed = new Set(
    [...effect.sharedWith].flatMap(([zip, others]) =>
      others.every(({ id }) => removals.get(id)?.has(zip)) ? zip : [],
    ),
  );
  for (const zip of removed) freed.delete(zip);
  const isDone = (list: readonly string[], open: readonly string[]) => {
    const left = new Set(open);
    return list.filter((zip) => !left.has(zip));
  };
  return {
    preview: {
      ...nameOf(brand),
      requested: outcome.queued,
      goesLive: outcome.live.length > 0,
      shared: outcome.shared.filter((zip) => !freed.has(zip)),
      removed: [...removed],
      done: [
        ...isDone(change.added, added),
        ...isDone(change.removed, [...asked, ...inOtherChanges]),
      ].sort(),
      unknown: [
        ...outcome.unknownReasons,
        ...outcome.refusedReasons,
        { reason: 'part of another change that waits', zips: inOtherChanges },
        { reason: 'because a rule refuses it to its new brand', zips: kept },
      ].flatMap(({ reason, zips }) => (zips.length > 0 ? { reason, zips: [...zips] } : [])),
      before: summaryOf(before),
      after: { ...summaryOf(after), shared: after.shared - freed.size },
      newHoles,
      newGaps,
      newlyIsolated,
      cutOff,
    },
    reason: withheld?.withheld ?? null,
  };
}

/** The page itself compares the brands' balance, because several of them change at once. */
const summaryOf = ({ balance, ...summary }: TerritorySummary): LiveSummary => summary;

const nameOf = ({ slug, name }: Brand) => ({ brand: slug, name });

const NOTHING_SAVED: LiveSavedAnswer = { saved: [], change: null };

const savedAnswer = ({ id, status, on, parts }: MadeChange): LiveSavedAnswer => ({
  saved: parts.map(savedOf),
  change: id === null ? null : { id, status, on },
});

const savedOf = ({ brand, requested, removed, leaving }: MadePart): LiveSaved => ({
  ...nameOf(brand),
  requested: requested?.queued.length ?? 0,
  goesLive: (requested?.live.length ?? 0) > 0,
  refused: requested?.refusedReasons ?? [],
  removed: removed ? removed.live.length + removed.pending.length : 0,
  leaving: leaving.length,
  removalId: removed?.removalId ?? null,
});
