/** The edited territories: the brands' live ones, or a plan's. Drafts are immutable. Pure. */

export interface Brand {
  id: string;
  slug: string;
  name: string;
}

export interface DraftTerritory {
  /** Identifies the territory in the draft */
  number: number;
  name: string;
  brand: Brand | null;
  /** Numbers of ZIP codes of the market */
  zips: ReadonlySet<number>;
  /** The members of `zips` that are pending review; empty in a plan */
  pending: ReadonlySet<number>;
}

export interface Draft {
  /** In a plan, a ZIP code is in at most one territory. Brands may share one. */
  territories: readonly DraftTerritory[];
}

export const EMPTY_DRAFT: Draft = { territories: [] };

/** Returns the territories of each assigned ZIP code, in the order of the draft. */
export function territoriesByZip({
  territories,
}: Draft): ReadonlyMap<number, readonly DraftTerritory[]> {
  const byZip = new Map<number, DraftTerritory[]>();
  for (const territory of territories) {
    for (const zip of territory.zips) {
      const others = byZip.get(zip);
      if (others) others.push(territory);
      else byZip.set(zip, [territory]);
    }
  }
  return byZip;
}
