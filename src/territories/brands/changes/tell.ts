/** Tells of what happens to changes: in the activity, and as events for webhooks and notifications. */
import { recordActivity, type Action } from '../../../people/account/activity.ts';
import type { Actor } from '../../../people/account/caller.ts';
import type { TenantTransaction } from '../../../people/account/tenant.ts';
import { eventBrand, eventZips } from '../../../people/events/catalog.ts';
import { recordEvent } from '../../../people/events/events.ts';
import { joinFirst, joinWithAnd, pluralize } from '../../../base/text/words.ts';
import type { Brand } from '../brands.ts';
import { formatDay } from '../groups/refusal-words.ts';
import type { OpenParts } from './settle.ts';

/** What a brand gets and gives up. Lists are sorted. */
export interface BrandParts {
  brand: Brand;
  added: string[];
  removed: string[];
}

type Placed = { brand: Brand; zip: string };

/** Returns the parts by brand, in the order of the slugs. */
export function byBrand({
  added,
  removed,
}: {
  added: readonly Placed[];
  removed: readonly Placed[];
}): BrandParts[] {
  const parts = new Map<string, BrandParts>();
  const partOf = ({ brand }: Placed) => {
    const part = parts.get(brand.id) ?? { brand, added: [], removed: [] };
    parts.set(brand.id, part);
    return part;
  };
  for (const one of added) partOf(one).added.push(one.zip);
  for (const one of removed) partOf(one).removed.push(one.zip);
  return [...parts.values()]
    .map(({ brand, added, removed }) => ({ brand, added: added.sort(), removed: removed.sort() }))
    .sort((a, b) => (a.brand.slug < b.brand.slug ? -1 : 1));
}

/** `3 ZIP codes more and 1 ZIP code less for North: 75201, 75202, …` */
function whatFor({ brand, added, removed }: BrandParts): string {
  const counts = [
    ...(added.length > 0 ? [`${pluralize(added.length, 'ZIP code')} to get`] : []),
    ...(removed.length > 0 ? [`${pluralize(removed.length, 'ZIP code')} to give up`] : []),
  ];
  return `${joinWithAnd(counts)} for ${brand.name}: ${joinFirst([...added, ...removed])}`;
}

const eventParts = ({ brand, added, removed }: BrandParts, changeId: string) => {
  const given = eventZips(removed);
  return {
    brand: eventBrand(brand),
    ...eventZips(added),
    removedZips: given.zips,
    removedZipCount: given.zipCount,
    changeId,
  };
};

function recordEach(
  tx: TenantTransaction,
  actor: Actor,
  changeId: string,
  parts: readonly BrandParts[],
  action: Action,
  sentence: (part: BrandParts) => string,
): void {
  for (const part of parts) {
    recordActivity(tx, {
      actor,
      action,
      brandId: part.brand.id,
      summary: sentence(part),
      zips: [...new Set([...part.added, ...part.removed])].sort(),
      before: {},
      after: {},
      changeId,
    });
  }
}

/** Tells that a change will go live on a day. @param before the day from which it was moved */
export function tellScheduled(
  tx: TenantTransaction,
  actor: Actor,
  changeId: string,
  parts: OpenParts,
  { on, before }: { on: string; before?: string | null | undefined },
): void {
  const brands = byBrand(parts);
  recordEach(tx, actor, changeId, brands, before ? 'change_moved' : 'change_scheduled', (part) =>
    before
      ? `Moved a change from ${formatDay(before)} to ${formatDay(on)}, with ${whatFor(part)}.`
      : `Scheduled for ${formatDay(on)} ${whatFor(part)}.`,
  );
  for (const part of brands) {
    recordEvent(tx, {
      type: 'territory.scheduled',
      actor,
      brandId: part.brand.id,
      data: { ...eventParts(part, changeId), on },
    });
  }
}

/** Tells that a change, which still waits for a review, is asked for another day. */
export const tellMoved = (
  tx: TenantTransaction,
  actor: Actor,
  changeId: string,
  parts: OpenParts,
  { on, before }: { on: string | null; before: string | null },
): void =>
  recordEach(tx, actor, changeId, byBrand(parts), 'change_moved', (part) => {
    const to = on === null ? 'the time of its approval' : formatDay(on);
    const from = before === null ? '' : ` from ${formatDay(before)}`;
    return `Moved a requested change${from} to ${to}, with ${whatFor(part)}.`;
  });

/** Tells that a change can't go live, and why, each brand its own reasons. */
export function tellBlocked(
  tx: TenantTransaction,
  actor: Actor,
  changeId: string,
  parts: OpenParts,
  { on, reasonFor }: { on: string; reasonFor: (brand: Brand) => string },
): void {
  const brands = byBrand({ ...parts, added: [...parts.added, ...parts.lost] });
  recordEach(
    tx,
    actor,
    changeId,
    brands,
    'change_blocked',
    (part) =>
      `A change planned for ${formatDay(on)} could not go live, with ${whatFor(part)}. Reason: ${reasonFor(part.brand)}.`,
  );
  for (const part of brands) {
    recordEvent(tx, {
      type: 'territory.blocked',
      actor,
      brandId: part.brand.id,
      data: { ...eventParts(part, changeId), on, reason: reasonFor(part.brand) },
    });
  }
}

/** Tells that a change was withdrawn before it was live. */
export function tellWithdrawn(
  tx: TenantTransaction,
  actor: Actor,
  changeId: string,
  parts: OpenParts,
  on: string | null,
): void {
  const brands = byBrand(parts);
  for (const part of brands) {
    recordActivity(tx, {
      actor,
      action: 'territory_withdrawn',
      brandId: part.brand.id,
      summary: `Withdrew a change${on === null ? '' : ` planned for ${formatDay(on)}`}, with ${whatFor(part)}.`,
      zips: part.added,
      before: Object.fromEntries(part.added.map((zip) => [zip, 'pending'])),
      after: Object.fromEntries(
        parts.added
          .filter(({ brand }) => brand.id === part.brand.id)
          .map(({ zip, stateBefore }) => [zip, stateBefore]),
      ),
      changeId,
    });
    recordEvent(tx, {
      type: 'territory.withdrawn',
      actor,
      brandId: part.brand.id,
      data: { ...eventParts(part, changeId), on },
    });
  }
}
