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
  type BrandChange,
  type MadeChange,
} from '../../../../territories/brands/change-brands.ts';
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
    const changes = await readChanges(visit, fields);
    const previews: LivePreview[] = [];
    let withheld: string | null = null;
    // One after another, because each measures the borders of the country.
    const removals = new Map(changes.map(({ brand, removed }) => [brand.id, new Set(removed)]));
    for (const change of changes) {
      const { preview, reason } = await previewOf(visit, change, removals);
      previews.push(preview);
      withheld ??= reason;
    }
    const body: LivePreviewAnswer = { previews, once: randomUUID(), withheld };
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
    const input = {
      note,
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
        for (const change of changes) open.push(await withoutDone(tx, change));
        const options = { note };
        const made = await changeBrands(tx, caller.actor, open, options);
        return { saved: made.map(savedOf) } satisfies LiveSavedAnswer;
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

/** Omits changes that someone else has made in the meantime. */
async function withoutDone(
  tenant: Tenant,
  { brand, added, removed }: BrandChange,
): Promise<BrandChange> {
  const held = await heldZipStatuses(tenant, brand);
  return {
    brand,
    added: added.filter((zip) => !held.has(zip)),
    removed: removed.filter((zip) => held.has(zip)),
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

async function previewOf(
  { db, caller }: MemberVisit,
  change: BrandChange,
  removals: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<{ preview: LivePreview; reason: string | null }> {
  const { brand, added, removed } = await withoutDone(caller.tenant, change);
  const rules = { naming: 'known' as const, leaving: removals, by: caller.actor };
  const outcome =
    added.length > 0 ? await previewApply(caller.tenant, brand, added, rules) : NOTHING;
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
      done: [...isDone(change.added, added), ...isDone(change.removed, removed)].sort(),
      unknown: [...outcome.unknownReasons, ...outcome.refusedReasons].map(({ reason, zips }) => ({
        reason,
        zips: [...zips],
      })),
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

const savedOf = ({ brand, requested, removed }: MadeChange): LiveSaved => ({
  ...nameOf(brand),
  requested: requested?.queued.length ?? 0,
  goesLive: (requested?.live.length ?? 0) > 0,
  refused: requested?.refusedReasons ?? [],
  removed: removed ? removed.live.length + removed.pending.length : 0,
  removalId: removed?.removalId ?? null,
});
