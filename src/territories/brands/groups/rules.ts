/**
 * The rules of groups of brands, and the decision which brands may hold a ZIP code. Pure: the facts come from
 * facts.ts, and the callers act on the decision.
 */
import type { Brand } from '../brands.ts';

/** From the most lenient to the strictest */
export const RULES = ['allow', 'warn', 'block'] as const;

/**
 * What a group says about a ZIP code that several of its brands hold:
 * - `allow`: nothing, and it isn't flagged
 * - `warn`: it's flagged, as between brands without a common group
 * - `block`: a brand can't request or get a ZIP code that another one holds live, unless that one's grant is
 *   non-exclusive
 *
 * If two brands are in several groups, the strictest rule applies.
 */
export type Rule = (typeof RULES)[number];

export interface GroupName {
  id: string;
  name: string;
}

/** What the decision depends on */
export interface RuleFacts {
  /** The groups of the brands that are decided on, by name */
  groups: readonly (GroupName & { rule: Rule; brandIds: ReadonlySet<string> })[];
  /** The brands that hold each ZIP code live, or will, if they are in a group that blocks overlaps */
  holders: ReadonlyMap<string, readonly Holder[]>;
  /** Reserves of the groups that haven't ended, latest end first */
  reserves: readonly {
    groupId: string;
    zips: ReadonlySet<string>;
    reason: string;
    until: string;
  }[];
}

/** A brand that holds a ZIP code live, and not by a non-exclusive grant */
export interface Holder extends Brand {
  /** The day from which it does, `2027-01-01`, if that is approved and still to come */
  from?: string;
  /** Whether it has given the ZIP code up since the moment in question */
  hasLeft?: true;
}

/** A brand that wants to hold a ZIP code, live or after a review */
export interface Claim {
  brand: Brand;
  zip: string;
}

/** Why a brand can't hold a ZIP code */
export type Refusal =
  | { kind: 'overlap'; group: GroupName; /** Live holders in the group */ holders: Holder[] }
  | {
      kind: 'reserve';
      group: GroupName;
      reason: string;
      /** Last day, `2027-03-31` */ until: string;
    };

/** Returns why a rule refuses a claim, or null if none does. */
export function refusalOf({ brand, zip }: Claim, facts: RuleFacts): Refusal | null {
  const groups = facts.groups.filter(({ brandIds }) => brandIds.has(brand.id));
  const others = facts.holders.get(zip)?.filter(({ id }) => id !== brand.id) ?? [];
  for (const group of groups) {
    if (group.rule !== 'block') continue;
    const holders = others.filter(({ id }) => group.brandIds.has(id));
    if (holders.length > 0) return { kind: 'overlap', group: nameOf(group), holders };
  }
  for (const { groupId, zips, reason, until } of facts.reserves) {
    const group = groups.find(({ id }) => id === groupId);
    if (group && zips.has(zip)) return { kind: 'reserve', group: nameOf(group), reason, until };
  }
  return null;
}

const nameOf = ({ id, name }: GroupName): GroupName => ({ id, name });

export interface Settled<T extends Claim> {
  allowed: T[];
  refused: (T & { refusal: Refusal })[];
}

/** Decides on claims that take effect together. Of two brands that claim a ZIP code, the first in the list gets it. */
export function settleClaims<T extends Claim>(claims: readonly T[], facts: RuleFacts): Settled<T> {
  const holders = new Map(facts.holders);
  const settled: Settled<T> = { allowed: [], refused: [] };
  for (const claim of claims) {
    const refusal = refusalOf(claim, { ...facts, holders });
    if (refusal) {
      settled.refused.push({ ...claim, refusal });
      continue;
    }
    settled.allowed.push(claim);
    holders.set(claim.zip, [...(holders.get(claim.zip) ?? []), claim.brand]);
  }
  return settled;
}

/** ZIP codes that a change removes, by brand id */
export type Leaving = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the facts after brands have given up ZIP codes. */
export function afterLeaving(facts: RuleFacts, leaving: Leaving): RuleFacts {
  const holders = Array.from(
    facts.holders,
    ([zip, brands]) =>
      [zip, brands.filter(({ id, hasLeft }) => hasLeft || !leaving.get(id)?.has(zip))] as const,
  );
  return { ...facts, holders: new Map(holders) };
}

/** American Samoa, where a day ends last, is 11 hours behind UTC. */
const HOURS_BEHIND_UTC = 11;

/** Returns the earliest date that has not ended everywhere in the United States. A reserve until that day still counts. */
export const lastOpenDay = (now: Date): string =>
  new Date(now.getTime() - HOURS_BEHIND_UTC * 3_600_000).toISOString().slice(0, 10);
