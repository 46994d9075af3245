/** Compares the territories of two plans, or of a plan and the live territories. Pure. */
import type { Brand } from '../brands/brands.ts';

/** A territory of a plan, or a live territory */
export interface ComparedTerritory {
  name: string;
  brand: Brand | null;
  /** Sorted */
  zips: readonly string[];
}

interface TerritoryPair {
  /** Null if the territory is new */
  before: ComparedTerritory | null;
  /** Null if the territory was removed */
  after: ComparedTerritory | null;
  /** ZIP codes only in `after`, sorted */
  gained: string[];
  /** ZIP codes only in `before`, sorted */
  lost: string[];
}

/**
 * Pairs territories: first those of the same brand, then those that share the most ZIP codes. A territory
 * without a counterpart was added or removed.
 * @returns pairs in the order of `after`, followed by the removed territories
 */
export function pairTerritories(
  before: readonly ComparedTerritory[],
  after: readonly ComparedTerritory[],
): TerritoryPair[] {
  const partnerOf = new Map<ComparedTerritory, ComparedTerritory>();
  const paired = new Set<ComparedTerritory>();
  const pair = (old: ComparedTerritory, now: ComparedTerritory) => {
    if (paired.has(old) || partnerOf.has(now)) return;
    partnerOf.set(now, old);
    paired.add(old);
  };
  for (const now of after) {
    const old = before.find(({ brand }) => brand !== null && brand.id === now.brand?.id);
    if (old) pair(old, now);
  }
  for (const { old, now } of overlaps(before, after)) pair(old, now);
  return [
    ...after.map((now) => pairOf(partnerOf.get(now) ?? null, now)),
    ...before.filter((old) => !paired.has(old)).map((old) => pairOf(old, null)),
  ];
}

/** Returns the pairs that share ZIP codes, except pairs of two brands. Most shared ZIP codes come first. */
function overlaps(before: readonly ComparedTerritory[], after: readonly ComparedTerritory[]) {
  const holders = new Map<string, ComparedTerritory[]>();
  for (const old of before) {
    for (const zip of old.zips) holders.set(zip, [...(holders.get(zip) ?? []), old]);
  }
  return after
    .flatMap((now) => {
      const shared = new Map<ComparedTerritory, number>();
      for (const old of now.zips.flatMap((zip) => holders.get(zip) ?? [])) {
        shared.set(old, (shared.get(old) ?? 0) + 1);
      }
      return Array.from(shared, ([old, zips]) => ({ old, now, zips }));
    })
    .filter(({ old, now }) => !old.brand || !now.brand)
    .sort((a, b) => b.zips - a.zips);
}

function pairOf(before: ComparedTerritory | null, after: ComparedTerritory | null): TerritoryPair {
  const [old, now] = [new Set(before?.zips), new Set(after?.zips)];
  return {
    before,
    after,
    gained: [...now].filter((zip) => !old.has(zip)),
    lost: [...old].filter((zip) => !now.has(zip)),
  };
}

/** A ZIP code in different territories before and after */
interface MovedZip {
  zip: string;
  /** Names of its territories before; empty if unassigned */
  from: string[];
  /** Names of its territories after */
  to: string[];
}

/** Returns the ZIP codes whose territory changes, sorted. */
export function movedZips(pairs: readonly TerritoryPair[]): MovedZip[] {
  const moved = new Map<string, MovedZip>();
  const at = (zip: string) => {
    const one = moved.get(zip) ?? { zip, from: [], to: [] };
    moved.set(zip, one);
    return one;
  };
  for (const { before, after, gained, lost } of pairs) {
    for (const zip of lost) at(zip).from.push(before!.name);
    for (const zip of gained) at(zip).to.push(after!.name);
  }
  return [...moved.values()].sort((a, b) => (a.zip < b.zip ? -1 : 1));
}
