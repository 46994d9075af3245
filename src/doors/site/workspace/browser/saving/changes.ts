/**
 * The changes to send when a draft is saved: an edit of its plan, or requests and removals of brands. Pure.
 */
import type { Brand, Draft } from '../territories/draft.ts';
import { territoryOf } from '../territories/edits.ts';
import type { Market } from '../market.ts';
import { zipsOf } from '../selection/selection.ts';
import { areEqual, difference } from '../selection/sets.ts';

/** The request of `POST /agent/plans/{plan}`, without the version */
interface PlanEdit {
  deletions: number[];
  territories: { number: number; name?: string; brand?: string | null }[];
  moves: { zips: string[]; to: number | null }[];
}

/** Maximum number of ZIP codes in a move (`territories/brands/validate-zips.ts`) */
const MAX_ZIPS_PER_MOVE = 5_000;

/** Returns the edit that changes the saved territories into the draft's. */
export function planEditOf(market: Market, saved: Draft, draft: Draft): PlanEdit {
  const deletions = saved.territories
    .filter(({ number }) => !territoryOf(draft, number))
    .map(({ number }) => number);
  const territories = draft.territories.flatMap(({ number, name, brand }) => {
    const old = territoryOf(saved, number);
    const edit = {
      ...(old?.name !== name && { name }),
      ...((old?.brand?.id ?? null) !== (brand?.id ?? null) && { brand: brand?.slug ?? null }),
    };
    return old && Object.keys(edit).length === 0 ? [] : { number, ...edit };
  });
  const moves = draft.territories.flatMap(({ number, zips }) => {
    const old = territoryOf(saved, number)?.zips ?? new Set();
    return movesTo(zipsOf(market, difference(zips, old)), number);
  });
  const assigned = allZips(draft);
  // ZIP codes of a deleted territory are already unassigned.
  const kept = { territories: saved.territories.filter((one) => territoryOf(draft, one.number)) };
  const unassigned = zipsOf(market, difference(allZips(kept), assigned));
  return { deletions, territories, moves: [...moves, ...movesTo(unassigned, null)] };
}

function movesTo(zips: readonly string[], to: number | null): PlanEdit['moves'] {
  const moves: PlanEdit['moves'] = [];
  for (let from = 0; from < zips.length; from += MAX_ZIPS_PER_MOVE) {
    moves.push({ zips: zips.slice(from, from + MAX_ZIPS_PER_MOVE), to });
  }
  return moves;
}

const allZips = ({ territories }: Draft) => new Set(territories.flatMap(({ zips }) => [...zips]));

/** The requests and removals of a brand */
interface BrandChange {
  brand: Brand;
  added: string[];
  removed: string[];
}

/** Returns the changes of brands whose live territories differ, in the order of the draft. */
export function liveChangesOf(market: Market, saved: Draft, draft: Draft): BrandChange[] {
  return draft.territories.flatMap(({ number, brand, zips }) => {
    const old = territoryOf(saved, number)?.zips ?? new Set();
    if (!brand || areEqual(old, zips)) return [];
    return {
      brand,
      added: zipsOf(market, difference(zips, old)),
      removed: zipsOf(market, difference(old, zips)),
    };
  });
}
