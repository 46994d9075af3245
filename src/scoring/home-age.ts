/**
 * Home age as bands: the share of homes in an age at which something is due. A median cannot say
 * this (1985 may be all of the eighties, or half 1950 and half 2020), so B25035 is not used.
 */
import { BUILT_DECADES, type Demographics } from '../ingest/demographics.ts';

/** Years of construction, both ends included. */
export interface YearRange {
  from: number;
  to: number;
}

/**
 * The bands of the three contract shares. The first is open at its old end: of the pre-1980 stock
 * about three quarters is from 1940 on (ACS 2022, B25034), so its years are taken from there.
 */
const BUILT_THIRDS: readonly YearRange[] = [
  { from: 1940, to: 1979 },
  { from: 1980, to: 1999 },
  { from: 2000, to: Infinity },
];

/** Homes at least `youngest` and at most `oldest` years old in a given year. */
export function builtAtAge(youngest: number, oldest: number, asOfYear: number): YearRange {
  return { from: asOfYear - oldest, to: asOfYear - youngest };
}

/**
 * The share of a ZIP code's homes built in a range of years, each band spread evenly over its
 * years.
 *
 * Reads the ten decades of B25034; without them the three contract shares, as coarser bands.
 *
 * @param asOfYear the last year of the vintage: nothing was built after it, so the newest band
 *   ends there
 * @returns 0..1, NaN where neither source is complete or there are no homes
 */
export function shareBuilt(zip: Demographics, range: YearRange, asOfYear: number): number {
  const byDecade = shareOf(BUILT_DECADES, zip.homesByDecadeBuilt ?? [], range, asOfYear);
  if (!Number.isNaN(byDecade)) return byDecade;
  const thirds = [zip.homeAgePre1980Pct, zip.homeAge19801999Pct, zip.homeAge2000PlusPct];
  return shareOf(BUILT_THIRDS, thirds, range, asOfYear);
}

/** A band that is missing or carries a Census sentinel leaves the whole share unknown. */
function shareOf(
  bands: readonly YearRange[],
  homes: readonly (number | null)[],
  range: YearRange,
  asOfYear: number,
): number {
  let inRange = 0;
  let all = 0;
  for (const [i, band] of bands.entries()) {
    const count = homes[i] ?? NaN;
    if (!(count >= 0 && count < Infinity)) return NaN;
    const lastYear = Math.max(band.from, Math.min(band.to, asOfYear));
    inRange += count * overlap({ from: band.from, to: lastYear }, range);
    all += count;
  }
  return inRange / all;
}

/** The part of a band's years that lie in the range, 0..1. */
function overlap(band: YearRange, range: YearRange): number {
  const shared = Math.min(band.to, range.to) - Math.max(band.from, range.from) + 1;
  return Math.max(0, shared) / (band.to - band.from + 1);
}
