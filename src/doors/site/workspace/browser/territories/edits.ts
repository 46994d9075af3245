/**
 * Edits of a draft. They return a new draft and reuse unchanged parts: an edit without effect returns the
 * same draft, and untouched territories stay the same objects. A step of the history therefore takes only
 * the memory of its changes, and figures can be cached by territory.
 */
import type { Brand, Draft, DraftTerritory } from './draft.ts';
import { difference, intersection, isSubset, union } from '../selection/sets.ts';

export type Zips = ReadonlySet<number>;

const NONE: Zips = new Set();

/** Moves ZIP codes to one territory, or to none, from all others. */
export const moveZips = (draft: Draft, zips: Zips, to: number | null): Draft =>
  changeTerritories(draft, (territory) =>
    territory.number === to ? withZips(territory, zips) : withoutZips(territory, zips),
  );

/** Adds ZIP codes to a live territory. Other brands keep them, because brands may share a ZIP code. */
export const addZips = (draft: Draft, zips: Zips, to: number): Draft =>
  changeTerritories(draft, (territory) =>
    territory.number === to ? withZips(territory, zips) : territory,
  );

/** Removes ZIP codes from one territory. */
export const removeZips = (draft: Draft, zips: Zips, from: number): Draft =>
  changeTerritories(draft, (territory) =>
    territory.number === from ? withoutZips(territory, zips) : territory,
  );

/** The lowest unused number of a territory */
export function nextNumber({ territories }: Draft): number {
  const used = new Set(territories.map(({ number }) => number));
  let number = 1;
  while (used.has(number)) number++;
  return number;
}

/** Adds an empty territory with an unused number. */
export function addTerritory(draft: Draft, number: number, name = `Territory ${number}`): Draft {
  const added: DraftTerritory = { number, name, brand: null, zips: NONE, pending: NONE };
  return { territories: [...draft.territories, added].sort((a, b) => a.number - b.number) };
}

export const deleteTerritory = ({ territories }: Draft, number: number): Draft => ({
  territories: territories.filter((territory) => territory.number !== number),
});

export const renameTerritory = (draft: Draft, number: number, name: string): Draft =>
  changeTerritories(draft, (territory) =>
    territory.number === number && territory.name !== name ? { ...territory, name } : territory,
  );

/** Assigns a territory of a plan to a brand, and unassigns the brand's other territory, if any. */
export const assignBrand = (draft: Draft, number: number, brand: Brand | null): Draft =>
  changeTerritories(draft, (territory) => {
    if (territory.number === number) {
      return territory.brand?.id === brand?.id ? territory : { ...territory, brand };
    }
    return brand && territory.brand?.id === brand.id ? { ...territory, brand: null } : territory;
  });

export const territoryOf = ({ territories }: Draft, number: number): DraftTerritory | undefined =>
  territories.find((territory) => territory.number === number);

function changeTerritories(
  draft: Draft,
  change: (territory: DraftTerritory) => DraftTerritory,
): Draft {
  const territories = draft.territories.map(change);
  return territories.every((one, i) => one === draft.territories[i]) ? draft : { territories };
}

function withZips(territory: DraftTerritory, added: Zips): DraftTerritory {
  if (isSubset(added, territory.zips)) return territory;
  return { ...territory, zips: union(territory.zips, added) };
}

function withoutZips(territory: DraftTerritory, removed: Zips): DraftTerritory {
  const { zips, pending } = territory;
  if (intersection(zips, removed).size === 0) return territory;
  return { ...territory, zips: difference(zips, removed), pending: difference(pending, removed) };
}
