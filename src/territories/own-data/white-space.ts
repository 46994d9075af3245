/**
 * Demand against penetration: where an organization sells little although demand is high. Penetration is an amount per
 * 1,000 owner households, because owners order home services. Pure; pages import it, too.
 */

/** In the order of legends */
export const WHITE_SPACE_CLASSES = ['white', 'served', 'quiet', 'loyal'] as const;
export type WhiteSpaceClass = (typeof WHITE_SPACE_CLASSES)[number];

/** Words for the classes, which name demand first */
export const WHITE_SPACE_LABELS: Readonly<Record<WhiteSpaceClass, string>> = {
  served: 'Strong demand, served',
  white: 'Strong demand, white space',
  loyal: 'Weak demand, served',
  quiet: 'Weak demand, little sold',
};

/** The median score of the country: demand is strong from here by default. */
export const STRONG_FROM = 50;

/** Returns an amount per 1,000 owner households, or null if the households are unknown or none. */
export const ratePer1000 = (amount: number, ownerHouseholds: number | null): number | null =>
  ownerHouseholds === null || !(ownerHouseholds > 0) ? null : (1000 * amount) / ownerHouseholds;

/** Returns the median rate of ZIP codes with an amount above 0, or null without any. */
export function medianRate(rates: Iterable<number | null>): number | null {
  const known = Float64Array.from(
    [...rates].filter((rate) => rate !== null && rate > 0) as number[],
  );
  if (known.length === 0) return null;
  known.sort();
  const middle = known.length >> 1;
  return known.length % 2 === 1 ? known[middle]! : (known[middle - 1]! + known[middle]!) / 2;
}

/** Farther than this from each ZIP code with an amount, local amounts say nothing about sales. */
export const LOCAL_MILES = 25;
/** Amounts near fewer of the compared ZIP codes are local. */
const LOCAL_SHARE = 0.5;

/**
 * Returns whether amounts are local: most of the compared ZIP codes are far from each one with an amount, such as jobs
 * in one metro compared with a whole state.
 * @param near number of the compared ZIP codes within `LOCAL_MILES` of one with an amount
 */
export const isLocalShare = (near: number, compared: number): boolean =>
  near < LOCAL_SHARE * compared;

export interface WhiteSpaceLimits {
  /** Demand is strong from this score. */
  strongFrom: number;
  /** A ZIP code is served from this rate. */
  servedFrom: number;
}

/** Returns the class of a ZIP code, or null if its score or its owner households are unknown. */
export function whiteSpaceClass(
  score: number | null,
  rate: number | null,
  { strongFrom, servedFrom }: WhiteSpaceLimits,
): WhiteSpaceClass | null {
  if (score === null || rate === null) return null;
  const isServed = rate > 0 && rate >= servedFrom;
  if (score >= strongFrom) return isServed ? 'served' : 'white';
  return isServed ? 'loyal' : 'quiet';
}
