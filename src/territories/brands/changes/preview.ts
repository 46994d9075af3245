/** What a change of brands would do, and what rules keep it from, before anyone makes it. */
import type { Actor } from '../../../people/account/caller.ts';
import { needsNoReview } from '../../../people/account/review-settings.ts';
import type { Tenant } from '../../../people/account/tenant.ts';
import { badRequest } from '../../../errors.ts';
import { previewApply, type ApplyOutcome } from '../apply.ts';
import type { Brand } from '../brands.ts';
import type { ClaimTime } from '../groups/facts.ts';
import { listRefusals } from '../groups/refusal-words.ts';
import type { Leaving } from '../groups/rules.ts';
import { previewRemove, type RemovableZips } from '../remove.ts';
import type { ChangeDay } from './day.ts';
import type { ChangeSource } from './read.ts';

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
