/** ZIP codes that rules of groups refuse to brands: reserved ones, and those that another brand holds. Pure. */
import { rollup } from 'd3-array';
import type { Brand, Draft } from './draft.ts';

export interface ZipRefusals {
  brandId: string;
  /** A phrase: `held by North, and the group "Franchisees" blocks overlaps` */
  reason: string;
  /** The brands whose holding is the reason; null if nothing that the viewer can change ends it */
  holderIds: readonly string[] | null;
  /** Numbers of ZIP codes of the market */
  zips: ReadonlySet<number>;
}

/** Reasons by number of ZIP code */
export type Refused = ReadonlyMap<number, string>;

const NONE: Refused = new Map();

/** Returns what a brand can't get, if the draft becomes true: holders may give ZIP codes up in it. */
export function refusedTo(
  refusals: readonly ZipRefusals[],
  draft: Draft,
  brand: Brand | null,
): Refused {
  if (brand === null) return NONE;
  const refused = new Map<number, string>();
  for (const refusal of refusals) {
    if (refusal.brandId !== brand.id) continue;
    const stays = staysIn(draft, refusal);
    for (const zip of refusal.zips) if (stays(zip)) refused.set(zip, refusal.reason);
  }
  return refused;
}

/** Returns whether a ZIP code stays refused: all of its holders may give it up in the draft. */
function staysIn({ territories }: Draft, { holderIds }: ZipRefusals): (zip: number) => boolean {
  const holders = holderIds?.map((id) => territories.find((one) => one.brand?.id === id));
  return (zip) => holders?.some((holder) => holder === undefined || holder.zips.has(zip)) ?? true;
}

/** Returns the brands that can't get a ZIP code, by reason. */
export function refusalsOf(
  refusals: readonly ZipRefusals[],
  draft: Draft,
  zip: number,
): ReadonlyMap<string, readonly string[]> {
  const found = refusals.filter((one) => one.zips.has(zip) && staysIn(draft, one)(zip));
  return rollup(
    found,
    (group) => group.map(({ brandId }) => brandId),
    ({ reason }) => reason,
  );
}

interface Asked {
  refusals: readonly ZipRefusals[];
  draft: Draft;
  /** Number of the territory that should receive ZIP codes; null if none is chosen */
  target: number | null;
}

let known: { asked: Asked; refused: Refused } | undefined;

/**
 * Returns the ZIP codes to mark on the map: those that the chosen territory can't get. If none is chosen, those that no
 * brand of the draft can get.
 */
export function refusedOnMap({ refusals, draft, target }: Asked): Refused {
  const { asked } = known ?? {};
  if (asked?.refusals !== refusals || asked.draft !== draft || asked.target !== target) {
    known = { asked: { refusals, draft, target }, refused: compute({ refusals, draft, target }) };
  }
  return known!.refused;
}

function compute({ refusals, draft, target }: Asked): Refused {
  if (refusals.length === 0) return NONE;
  const chosen = draft.territories.find(({ number }) => number === target);
  if (chosen) return refusedTo(refusals, draft, chosen.brand);
  const brands = draft.territories.flatMap(({ brand }) => (brand ? [brand] : []));
  const [first, ...others] = brands.map((brand) => refusedTo(refusals, draft, brand));
  if (!first) return NONE;
  return new Map([...first].filter(([zip]) => others.every((refused) => refused.has(zip))));
}
