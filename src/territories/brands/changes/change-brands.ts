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
import { needsNoReview } from '../../../people/account/review-settings.ts';
import type { Tenant, TenantTransaction } from '../../../people/account/tenant.ts';
import { badRequest, conflict } from '../../../errors.ts';
import { eventBrand, eventZips } from '../../../people/events/catalog.ts';
import { recordEvent } from '../../../people/events/events.ts';
import { applyZips, previewApply, type Applied, type ApplyOutcome } from '../apply.ts';
import { lockBrands, type Brand } from '../brands.ts';
import type { ClaimTime } from '../groups/facts.ts';
import { listRefusals } from '../groups/refusal-words.ts';
import type { Leaving } from '../groups/rules.ts';
import { previewRemove, removeZips, type RemovableZips, type Removed } from '../remove.ts';
import type { ChangeDay } from './day.ts';
import { goLive } from './go-live.ts';
import type { ChangeSource, ChangeStatus } from './read.ts';
import { obstaclesUnderLock, openParts } from './settle.ts';
import { tellScheduled } from './tell.ts';

export interface BrandChange {
  brand: Brand;
  /** ZIP codes to request */
  added: readonly string[];
  /** ZIP codes to remove. The brand holds at least one of them. */
  removed: readonly string[];
}

export interface ChangeOptions {
  source: ChangeSource;
  /** For reviewers and the activity */
  note?: string | undefined;
  /** When it goes live. Null: when it's approved */
  on?: ChangeDay | null | undefined;
  /** Whether it waits for a review in any case, as what a key asks to undo does */
  asks?: boolean | undefined;
  /** The change that it reverts */
  undoes?: string | undefined;
}

type PlannedOptions = Partial<Pick<ChangeOptions, 'source' | 'on' | 'asks'>>;

/** What becomes of a change of one brand */
export interface PlannedPart {
  brand: Brand;
  /** Null without ZIP codes to request */
  requested: ApplyOutcome | null;
  /** Null without ZIP codes to remove */
  removed: RemovableZips | null;
}

/**
 * When a change takes effect: now, when a reviewer has approved it, or on its day. A change with a day may need a review,
 * too.
 */
export interface ChangeEffect {
  parts: PlannedPart[];
  needsReview: boolean;
  /** `2027-01-01` */
  on: string | null;
  /** Whether its parts wait for each other. Otherwise it's a request, or a removal */
  isOne: boolean;
}

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
 * Returns what a change would do, without changing anything.
 * @throws ServiceError as `previewApply` and `previewRemove`; 409 if its removals are part of other changes
 */
export async function previewChange(
  tenant: Tenant,
  actor: Actor,
  changes: readonly BrandChange[],
  options: PlannedOptions,
): Promise<ChangeEffect> {
  const { on = null, asks = false } = options;
  requireChanges(changes);
  const time: ClaimTime = { on, countsPlanned: true };
  const removals: (RemovableZips | null)[] = [];
  for (const { brand, removed } of changes) {
    // An undo reverts what an import of any number gave a brand.
    const isAnyNumber = options.source === 'undo';
    removals.push(
      removed.length > 0 ? await previewRemove(tenant, brand, removed, { isAnyNumber }) : null,
    );
  }
  const isOne = waitForEachOther(changes, removals, options);
  const leaving: Leaving = new Map(
    changes.map(({ brand }, i) => [brand.id, new Set(removals[i]?.live)]),
  );
  const free = !asks && (await needsNoReview(tenant, actor));
  const parts: PlannedPart[] = [];
  for (const [i, { brand, added }] of changes.entries()) {
    const requested =
      added.length > 0
        ? await previewApply(tenant, brand, added, {
            by: asks ? undefined : actor,
            naming: 'known',
            leaving,
            time,
          })
        : null;
    parts.push({ brand, requested, removed: isOne ? stillToGiveUp(removals[i]!) : removals[i]! });
  }
  if (options.source === 'save') keepRefused(parts);
  const requests = parts.some(({ requested }) => (requested?.queued.length ?? 0) > 0);
  return { parts, needsReview: asks || (requests && !free), on: on?.day ?? null, isOne };
}

function requireChanges(changes: readonly BrandChange[]): void {
  if (changes.some(({ added, removed }) => added.length + removed.length > 0)) return;
  throw badRequest('The change is empty. Name ZIP codes to add to a brand, or to remove from one.');
}

/** Whether parts of a change must go live together, or on a day, or be reviewed although they only remove, or are a file's. */
const waitForEachOther = (
  changes: readonly BrandChange[],
  removals: readonly (RemovableZips | null)[],
  { source, on = null, asks = false }: PlannedOptions,
): boolean =>
  on !== null ||
  asks ||
  source === 'import' ||
  changes.filter(({ added, removed }) => added.length + removed.length > 0).length > 1 ||
  (changes.some(({ added }) => added.length > 0) &&
    removals.some((removal) => (removal?.live.length ?? 0) > 0));

/** What a brand gives up to one that can't get it, it keeps, so that it isn't open. */
function keepRefused(parts: PlannedPart[]): void {
  const stays = refusedZips(parts.flatMap(({ requested }) => requested ?? []));
  for (const part of parts) {
    if (!part.removed) continue;
    part.removed = { ...part.removed, live: part.removed.live.filter((zip) => !stays.has(zip)) };
  }
}

/** Returns the ZIP codes that rules refuse to each brand that requests them. */
export function refusedZips(
  outcomes: readonly Pick<ApplyOutcome, 'queued' | 'refusedReasons'>[],
): Set<string> {
  const queued = new Set(outcomes.flatMap((one) => one.queued));
  const refused = outcomes.flatMap((one) => one.refusedReasons.flatMap(({ zips }) => zips));
  return new Set(refused.filter((zip) => !queued.has(zip)));
}

/** Without what another change removes already: a ZIP code of a brand waits in one change at a time. */
function stillToGiveUp(removal: RemovableZips | null): RemovableZips | null {
  if (!removal) return null;
  const isLeaving = new Set(removal.leaving);
  return { ...removal, live: removal.live.filter((zip) => !isLeaving.has(zip)) };
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

/**
 * A brand gives up what is to pass to another one only if that one can get it, so that it's never open.
 * @returns the ZIP codes that wouldn't pass on, and why; null if all would
 */
export function passingRefusal(
  changes: readonly BrandChange[],
  { parts }: ChangeEffect,
): string | null {
  const given = new Set(parts.flatMap(({ removed }) => removed?.live ?? []));
  const stuck = parts.flatMap(({ requested }, i) => {
    if (!requested) return [];
    const isTaken = new Set([...requested.queued, ...requested.alreadyLive]);
    const passing = new Set(changes[i]!.added.filter((zip) => given.has(zip) && !isTaken.has(zip)));
    const reasons = [
      ...requested.unknownReasons,
      ...requested.refusedReasons,
      { reason: 'requested already, and not decided yet', zips: requested.alreadyPending },
    ];
    return reasons
      .map(({ reason, zips }) => ({ reason, zips: zips.filter((zip) => passing.has(zip)) }))
      .filter(({ zips }) => zips.length > 0);
  });
  const isAdded = new Set(changes.flatMap(({ added }) => added));
  const leaving = parts
    .flatMap(({ removed }) => removed?.leaving ?? [])
    .filter((zip) => isAdded.has(zip) && !given.has(zip));
  if (leaving.length > 0) {
    stuck.push({ reason: 'given up by another change that waits', zips: leaving.sort() });
  }
  if (stuck.length === 0) return null;
  return `${listRefusals(stuck)}. A ZIP code passes on only if its new brand can get it. Leave out these ZIP codes, or resolve the reason first.`;
}

/** Whether something of a change waits for its review, its day, or its other parts */
const hasWaiting = (parts: readonly PlannedPart[]): boolean =>
  parts.some(
    ({ requested, removed }) => (requested?.queued.length ?? 0) + (removed?.live.length ?? 0) > 0,
  );

/** Withdraws requests, which nobody has approved. There is no change: nothing of it would wait. */
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
