/**
 * Makes changes of the territories of one or several brands, which are reviewed as one, go live as one (at once, or on a
 * day), and are undone as one. Additions wait for a review unless their requester needs none. A removal goes live with the
 * additions of its change, so that what a brand gives up isn't open in the meantime.
 *
 * A change of one brand that only requests or only removes ZIP codes, without a day, has no parts that must wait for each
 * other. It stays a request, whose ZIP codes can be decided one by one, or a removal. An import is one change in any case.
 */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../../people/account/caller.ts';
import type { TenantTransaction } from '../../../people/account/tenant.ts';
import { conflict } from '../../../errors.ts';
import { eventBrand, eventZips } from '../../../people/events/catalog.ts';
import { recordEvent } from '../../../people/events/events.ts';
import { applyZips, type Applied } from '../apply.ts';
import { lockBrands, type Brand } from '../brands.ts';
import type { ClaimTime } from '../groups/facts.ts';
import { listRefusals } from '../groups/refusal-words.ts';
import type { Leaving } from '../groups/rules.ts';
import { removeZips, type Removed } from '../remove.ts';
import { goLive } from './go-live.ts';
import {
  passingRefusal,
  previewChange,
  type BrandChange,
  type ChangeEffect,
  type ChangeOptions,
  type PlannedPart,
} from './preview.ts';
import type { ChangeStatus } from './read.ts';
import { obstaclesUnderLock, openParts } from './settle.ts';
import { tellScheduled } from './tell.ts';

export interface MadePart {
  brand: Brand;
  /** Null if nothing was requested */
  requested: Applied | null;
  /** What was removed at once; null if nothing was */
  removed: Removed | null;
  /** ZIP codes that the change removes when it goes live, sorted */
  leaving: string[];
}

export interface MadeChange {
  /** Null if its parts don't wait for each other */
  id: string | null;
  /** What the change is now. `live` if nothing waits */
  status: Extract<ChangeStatus, 'waiting' | 'scheduled' | 'live'>;
  on: string | null;
  parts: MadePart[];
}

/**
 * Makes a change of brands, all or nothing. Requests that nobody has approved yet are withdrawn at once where it removes
 * them, because they aren't live.
 * @throws ServiceError as `previewChange`; 409 if something keeps a change that needs no review from going live, or if
 *   nothing of a change is left
 */
export async function changeBrands(
  tx: TenantTransaction,
  actor: Actor,
  changes: readonly BrandChange[],
  options: ChangeOptions,
): Promise<MadeChange> {
  lockBrands(
    tx,
    changes.map(({ brand }) => brand.id),
  );
  const effect = await previewChange(tx, actor, changes, options);
  if (options.source === 'transfer' || options.source === 'request') {
    const refusal = passingRefusal(changes, effect);
    if (refusal !== null) throw conflict(`Nothing was changed: ${refusal}`);
  }
  return effect.isOne
    ? makeTogether(tx, actor, changes, effect, options)
    : makeSingle(tx, actor, changes, effect, options);
}

async function makeSingle(
  tx: TenantTransaction,
  actor: Actor,
  changes: readonly BrandChange[],
  { needsReview }: ChangeEffect,
  { note }: ChangeOptions,
): Promise<MadeChange> {
  const parts: MadePart[] = [];
  for (const { brand, removed: zips } of changes) {
    const removed =
      zips.length > 0 ? await removeZips(tx, actor, brand, { zips, reason: note }) : null;
    parts.push({ brand, requested: null, removed, leaving: [] });
  }
  for (const [i, { brand, added: zips }] of changes.entries()) {
    if (zips.length === 0) continue;
    parts[i]!.requested = await applyZips(tx, actor, brand, { zips, note, naming: 'known' });
  }
  return { id: null, status: needsReview ? 'waiting' : 'live', on: null, parts };
}

async function makeTogether(
  tx: TenantTransaction,
  actor: Actor,
  changes: readonly BrandChange[],
  { parts: planned, needsReview }: ChangeEffect,
  { source, note, on = null, undoes }: ChangeOptions,
): Promise<MadeChange> {
  requireLeft(planned);
  if (!hasWaiting(planned)) return withdrawOnly(tx, actor, planned, note);
  const id = randomUUID();
  const status = needsReview ? 'waiting' : on ? 'scheduled' : 'waiting';
  // Across brands: a change of several brands is visible by its ZIP codes, which follow.
  tx.acrossBrands.defer(
    `insert into changes
       (organization_id, id, source, note, made_by, on_day, due_at, status, undoes, decided_by, decided_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, case when $10::jsonb is not null then statement_timestamp() end)`,
    [
      id,
      source,
      note?.trim() || null,
      actor,
      on?.day,
      on?.at,
      status,
      undoes,
      needsReview ? null : actor,
    ],
  );
  const time: ClaimTime = { on, change: id, countsPlanned: true };
  const leaving: Leaving = new Map(
    planned.map(({ brand, removed }) => [brand.id, new Set(removed?.live)]),
  );
  const parts: MadePart[] = [];
  for (const { brand, removed } of planned) {
    const withdrawn = removed?.pending ?? [];
    const given = removed?.live ?? [];
    insertZips(tx, id, brand, 'removed', given);
    parts.push({
      brand,
      requested: null,
      leaving: given,
      removed:
        withdrawn.length > 0
          ? await removeZips(tx, actor, brand, { zips: withdrawn, reason: note })
          : null,
    });
  }
  for (const [i, { brand, added: zips }] of changes.entries()) {
    if (zips.length === 0) continue;
    const request = { zips, note, naming: 'known', changeId: id, leaving, time } as const;
    const requested = await applyZips(tx, actor, brand, request);
    insertZips(tx, id, brand, 'added', requested.queued);
    parts[i]!.requested = requested;
    if (needsReview && requested.queued.length > 0)
      tellRequested(tx, actor, id, requested, brand, note);
  }
  if (needsReview) return { id, status: 'waiting', on: on?.day ?? null, parts };

  const open = await openParts(tx, id);
  const reasons = await obstaclesUnderLock(tx, open, time);
  if (reasons.length > 0) {
    throw conflict(
      `Nothing was changed: ${listRefusals(reasons)}. Leave out these ZIP codes, or resolve the reason first.`,
    );
  }
  if (on) {
    closeOwnReviews(tx, actor, id);
    tellScheduled(tx, actor, id, open, { on: on.day });
    return { id, status: 'scheduled', on: on.day, parts };
  }
  const { removed } = await goLive(tx, actor, open, {
    changeId: id,
    note: note?.trim() || null,
    isReviewed: false,
  });
  return {
    id,
    status: 'live',
    on: null,
    parts: parts.map((part) => ({
      ...part,
      leaving: [],
      requested: part.requested && { ...part.requested, live: part.requested.queued },
      removed: removed.get(part.brand.id) ?? part.removed,
    })),
  };
}

/** Whether something of a change waits for its review, its day, or its other parts */
const hasWaiting = (parts: readonly PlannedPart[]): boolean =>
  parts.some(
    ({ requested, removed }) => (requested?.queued.length ?? 0) + (removed?.live.length ?? 0) > 0,
  );

/** Withdraws requests that nobody has approved. It makes no change, because nothing is left to wait. */
async function withdrawOnly(
  tx: TenantTransaction,
  actor: Actor,
  planned: readonly PlannedPart[],
  note: string | undefined,
): Promise<MadeChange> {
  const parts: MadePart[] = [];
  for (const { brand, removed } of planned) {
    const zips = removed?.pending ?? [];
    const withdrawn =
      zips.length > 0 ? await removeZips(tx, actor, brand, { zips, reason: note }) : null;
    parts.push({ brand, requested: null, removed: withdrawn, leaving: [] });
  }
  return { id: null, status: 'live', on: null, parts };
}

/** @throws ServiceError 409 if neither a request nor a removal is left */
function requireLeft(parts: readonly PlannedPart[]): void {
  const isLeft = parts.some(
    ({ requested, removed }) =>
      (requested?.queued.length ?? 0) +
        (removed?.live.length ?? 0) +
        (removed?.pending.length ?? 0) >
      0,
  );
  if (isLeft) return;
  const refused = parts.flatMap(({ requested }) => requested?.refusedReasons ?? []);
  throw conflict(
    refused.length > 0
      ? `Nothing was changed: ${listRefusals(refused)}.`
      : 'Nothing is left to change: the brands hold the ZIP codes to add, or other changes that wait include these ZIP codes. List the changes to see them.',
  );
}

/** Approves requests that need no review, before their day. */
const closeOwnReviews = (tx: TenantTransaction, actor: Actor, changeId: string): void =>
  tx.defer(
    `update reviews set status = 'approved', decided_by = $3, decided_at = statement_timestamp()
     where organization_id = $1 and change_id = $2 and status = 'pending'`,
    [changeId, actor],
  );

function insertZips(
  tx: TenantTransaction,
  changeId: string,
  { id }: Brand,
  part: 'added' | 'removed',
  zips: readonly string[],
): void {
  if (zips.length === 0) return;
  tx.defer(
    `insert into change_zips (organization_id, change_id, brand_id, zip, part)
     select $1, $2, $3, zip, $4 from unnest($5::text[]) as changed (zip)`,
    [changeId, id, part, zips],
  );
}

function tellRequested(
  tx: TenantTransaction,
  actor: Actor,
  changeId: string,
  { queued, batchId }: Applied,
  brand: Brand,
  note: string | undefined,
): void {
  recordEvent(tx, {
    type: 'territory.requested',
    actor,
    brandId: brand.id,
    data: {
      brand: eventBrand(brand),
      ...eventZips(queued),
      requestId: batchId!,
      note: note?.trim() || null,
      changeId,
    },
  });
}
