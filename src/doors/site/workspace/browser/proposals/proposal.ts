/**
 * Differences between two drafts: a proposal of the solver, which can be accepted in part, or a comparison
 * of plans. Pure.
 */
import { territoriesByZip, type Draft, type DraftTerritory } from '../territories/draft.ts';
import { nextNumber, territoryOf } from '../territories/edits.ts';
import type { Balance } from '../territories/figures.ts';
import { numbersIn, type Market } from '../market.ts';
import { areEqual, difference, intersection, union } from '../selection/sets.ts';

/** Territories that the map and a list show as differences from others */
export interface Proposal {
  /** `Divide into 8` */
  title: string;
  /** Report of the solver, in sentences */
  notes: readonly string[];
  /** A comparison can't be accepted */
  kind: 'proposal' | 'comparison';
  /** Whether it is the first territory, whose size can be changed */
  isFirst?: true;
  /** Territories that the differences start from */
  base: Draft;
  /** The territories with all differences */
  draft: Draft;
  /** Pairs of ZIP codes that the solver connected over water or a gap, besides those of the market */
  bridges: Market['bridges'];
  /** Descriptions of `bridges`: `75033 and 75034 (2.4 miles)`. A metro of national data has dozens. */
  connections: readonly string[];
  /** ZIP codes that remain unchanged */
  declined: ReadonlySet<number>;
  /** Measure that the territories share evenly */
  balance: Balance;
  /** Vertical of the scores */
  vertical: string;
  /** Address, with a query, of a picture of the difference in its saved state; only for a comparison */
  picture?: string;
}

/** A ZIP code that changes territories; null for no territory */
export interface Change {
  zip: number;
  from: number | null;
  to: number | null;
}

/** A territory in a line of `POST /agent/design` */
export interface Designed {
  number: number;
  /** Name of a new territory; null if the request has a territory with this number */
  name: string | null;
  zips: readonly string[];
}

/**
 * Returns territories without overlaps, as the solver requires: a ZIP code that several brands hold stays
 * in the first of them.
 */
export function withoutOverlaps({ territories }: Draft): DraftTerritory[] {
  const taken = new Set<number>();
  return territories.map((territory) => {
    const own = difference(territory.zips, taken);
    for (const zip of own) taken.add(zip);
    return own.size === territory.zips.size ? territory : { ...territory, zips: own };
  });
}

/**
 * Returns the draft that the solver proposes. New territories take the number, name, and brand of the
 * territory with which they share the most ZIP codes, so that as little as possible changes.
 */
export function proposedDraft(
  market: Pick<Market, 'numbers'>,
  base: Draft,
  designed: readonly Designed[],
): Draft {
  const old = withoutOverlaps(base);
  const kept = new Map(
    designed.flatMap((one) => (one.name === null ? [[one.number, one] as const] : [])),
  );
  const replaced = old.filter(({ number }) => !kept.has(number));
  const added = designed.flatMap(({ name, zips }) =>
    name === null ? [] : [{ name, zips: numbersIn(market, zips) }],
  );
  const partners = pairByOverlap(replaced, added);
  const now = base.territories.flatMap((territory, i): DraftTerritory[] => {
    const seen = old[i]!;
    const one = kept.get(territory.number);
    const zips = one ? numbersIn(market, one.zips) : partners.get(seen)?.zips;
    // Brands stay, even without ZIP codes. A replaced territory without a brand is useless.
    if (!zips && !territory.brand) return [];
    // Territories as the solver made them are connected and even, so they share nothing.
    if (!one) return [withZips(territory, zips ?? NO_ZIPS)];
    // The solver hasn't seen the ZIP codes that a kept territory shares with an earlier one.
    const shared = difference(territory.zips, seen.zips);
    return [withZips(territory, union(shared, zips!))];
  });
  const paired = new Set(partners.values());
  let draft: Draft = { territories: now };
  for (const { name, zips } of added.filter((one) => !paired.has(one))) {
    // Numbers of replaced territories aren't reused, because a partial acceptance may keep these
    // territories.
    const others = [...base.territories, ...draft.territories];
    const number = nextNumber({ territories: others });
    const own = freeName(name, others);
    const territory = { number, name: own, brand: null, zips, pending: NO_ZIPS };
    draft = { territories: [...draft.territories, territory] };
  }
  return { territories: [...draft.territories].sort((a, b) => a.number - b.number) };
}

const NO_ZIPS: ReadonlySet<number> = new Set();

/**
 * Returns an unused name. The solver numbers the territories of a city (`Dallas 3`), including those that
 * get other names here.
 */
function freeName(name: string, others: readonly DraftTerritory[]): string {
  const taken = new Set(others.map((one) => one.name));
  const city = name.replace(/ \d+$/, '');
  let free = city;
  for (let n = 2; taken.has(free); n++) free = `${city} ${n}`;
  return free;
}

const withZips = (territory: DraftTerritory, zips: ReadonlySet<number>): DraftTerritory =>
  areEqual(territory.zips, zips)
    ? territory
    : { ...territory, zips, pending: intersection(territory.pending, zips) };

/** Pairs territories that share ZIP codes, those with the most first. Each has at most one partner. */
function pairByOverlap<T extends Pick<DraftTerritory, 'zips'>>(
  before: readonly DraftTerritory[],
  after: readonly T[],
): Map<DraftTerritory, T> {
  const holder = new Map<number, DraftTerritory>();
  for (const territory of before) for (const zip of territory.zips) holder.set(zip, territory);
  const overlaps = after.flatMap((now) => {
    const shared = new Map<DraftTerritory, number>();
    for (const zip of now.zips) {
      const old = holder.get(zip);
      if (old) shared.set(old, (shared.get(old) ?? 0) + 1);
    }
    return Array.from(shared, ([old, zips]) => ({ old, now, zips }));
  });
  const partners = new Map<DraftTerritory, T>();
  const taken = new Set<T>();
  for (const { old, now } of overlaps.sort((a, b) => b.zips - a.zips)) {
    if (partners.has(old) || taken.has(now)) continue;
    partners.set(old, now);
    taken.add(now);
  }
  return partners;
}

/**
 * Returns the ZIP codes that change territories, in order. A live ZIP code that two brands remove is listed
 * twice.
 */
export function changesOf(base: Draft, draft: Draft): Change[] {
  const [before, after] = [territoriesByZip(base), territoriesByZip(draft)];
  const zips = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  return zips.flatMap((zip) => {
    const from = numbersOf(before.get(zip));
    const to = numbersOf(after.get(zip));
    const lost = from.filter((number) => !to.includes(number));
    const gained = to.filter((number) => !from.includes(number));
    return Array.from({ length: Math.max(lost.length, gained.length) }, (_, i) => ({
      zip,
      from: lost[i] ?? null,
      to: gained[i] ?? null,
    }));
  });
}

const numbersOf = (territories: readonly DraftTerritory[] = []) =>
  territories.map(({ number }) => number);

/**
 * Returns the draft with the accepted changes. Added territories without ZIP codes are omitted, and removed
 * territories stay while they keep ZIP codes.
 */
export function acceptedDraft({ base, draft, declined }: Proposal): Draft {
  if (declined.size === 0) return draft;
  const numbers = [...base.territories, ...draft.territories].map(({ number }) => number);
  const territories = [...new Set(numbers)]
    .sort((a, b) => a - b)
    .flatMap((number) => {
      const [old, now] = [territoryOf(base, number), territoryOf(draft, number)];
      const [own, next] = [old?.zips ?? NO_ZIPS, now?.zips ?? NO_ZIPS];
      const zips = new Set([
        ...[...own].filter((zip) => next.has(zip) || declined.has(zip)),
        ...[...next].filter((zip) => !own.has(zip) && !declined.has(zip)),
      ]);
      if (zips.size === 0 && !(old && now)) return [];
      return [withZips((old ?? now)!, zips)];
    });
  const isBase =
    territories.length === base.territories.length &&
    territories.every((one) => base.territories.includes(one));
  return isBase ? base : { territories };
}

const accepted = new WeakMap<Proposal, Draft>();

/** Returns the draft that the map shows, including the accepted changes of a proposal. */
export function shownDraft({
  draft,
  proposal,
}: {
  draft: Draft;
  proposal: Proposal | null;
}): Draft {
  if (!proposal) return draft;
  const known = accepted.get(proposal);
  if (known) return known;
  const shown = acceptedDraft(proposal);
  accepted.set(proposal, shown);
  return shown;
}

/** Returns the ZIP codes whose change the map marks. */
export function markedZips(proposal: Proposal | null): number[] {
  if (!proposal) return [];
  const { base, draft, declined } = proposal;
  return changesOf(base, draft).flatMap(({ zip }) => (declined.has(zip) ? [] : [zip]));
}

/** The differences in one territory */
export interface TerritoryChanges {
  /** Null for ZIP codes without a territory afterward */
  territory: DraftTerritory | null;
  status: 'changed' | 'new' | 'removed';
  /** ZIP codes that it gains */
  gained: readonly Change[];
  /** ZIP codes that it loses */
  lost: readonly Change[];
}

/** Groups the differences by territory: those of the draft by number, then removed ones. */
export function changesByTerritory(base: Draft, draft: Draft): TerritoryChanges[] {
  const changes = changesOf(base, draft);
  const assigned = territoriesByZip(draft);
  const changesOfTerritory = (number: number | null) => ({
    gained: changes.filter(({ to }) => to === number),
    lost: changes.filter(({ from }) => from === number),
  });
  const groups = draft.territories.map((territory): TerritoryChanges => {
    const status = territoryOf(base, territory.number) ? 'changed' : 'new';
    return { territory, status, ...changesOfTerritory(territory.number) };
  });
  const removed = base.territories
    .filter(({ number }) => !territoryOf(draft, number))
    .map((territory): TerritoryChanges => ({
      territory,
      status: 'removed',
      ...changesOfTerritory(territory.number),
    }));
  const none: TerritoryChanges = {
    territory: null,
    status: 'changed',
    lost: [],
    gained: changes.filter(({ zip, to }) => to === null && !assigned.has(zip)),
  };
  return [...groups, ...removed, none].filter(
    ({ gained, lost, status }) => gained.length + lost.length > 0 || status === 'new',
  );
}

/** Accepts or declines ZIP codes. */
export function decide(proposal: Proposal, zips: Iterable<number>, isAccepted: boolean): Proposal {
  const declined = new Set(proposal.declined);
  for (const zip of zips) {
    if (isAccepted) declined.delete(zip);
    else declined.add(zip);
  }
  return { ...proposal, declined };
}

/** Renumbers the territories of another draft to match the corresponding ones, for a comparison. */
export function matchedTo(draft: Draft, other: Draft): Draft {
  const byBrand = new Map(
    other.territories.flatMap((one) => (one.brand ? [[one.brand.id, one] as const] : [])),
  );
  const partners = new Map<DraftTerritory, DraftTerritory>();
  const taken = new Set<DraftTerritory>();
  for (const territory of draft.territories) {
    const same = territory.brand && byBrand.get(territory.brand.id);
    if (!same || taken.has(same)) continue;
    partners.set(same, territory);
    taken.add(same);
  }
  const [restOld, restNew] = [
    other.territories.filter((one) => !partners.has(one)),
    draft.territories.filter((one) => ![...partners.values()].includes(one)),
  ];
  for (const [old, now] of pairByOverlap(restOld, restNew)) {
    if (!old.brand || !now.brand) partners.set(old, now);
  }
  let matched: Draft = { territories: [] };
  for (const territory of other.territories) {
    const number =
      partners.get(territory)?.number ??
      nextNumber({ territories: [...draft.territories, ...matched.territories] });
    matched = { territories: [...matched.territories, { ...territory, number }] };
  }
  return { territories: [...matched.territories].sort((a, b) => a.number - b.number) };
}
