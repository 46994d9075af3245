/** The edited territories: the brands' live ones, or a plan's. Drafts are immutable. Pure. */

export interface Brand {
  id: string;
  slug: string;
  name: string;
}

/** What a change that waits does to a ZIP code of a brand */
export interface PlannedPart {
  part: 'added' | 'removed';
  /** `2027-01-01`; null: when the change is approved */
  on: string | null;
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
  /** By ZIP code; missing in a plan */
  planned?: ReadonlyMap<number, PlannedPart>;
}

export interface Draft {
  /** In a plan, a ZIP code is in at most one territory. Brands may share one. */
  territories: readonly DraftTerritory[];
}

export const EMPTY_DRAFT: Draft = { territories: [] };

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Says what holds for a ZIP code of a territory: `North (until January 1, 2027)` */
export function holderText({ name, pending, planned }: DraftTerritory, zip: number): string {
  const { part, on = null } = planned?.get(zip) ?? {};
  const when = on === null ? null : day.format(new Date(`${on}T00:00:00Z`));
  if (part === 'removed') return `${name} (until ${when ?? 'a change is approved'})`;
  if (!pending.has(zip)) return name;
  return when === null ? `${name} (pending review)` : `${name} (planned for ${when})`;
}

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
