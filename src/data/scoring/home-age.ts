/**
 * Computes the share of homes at an age when something needs replacement. The median year built
 * (table B25035) can't show this: a median of 1985 may mean that all homes are from the 1980s, or
 * half from 1950 and half from 2020.
 */
import { BUILT_DECADES, type Figures } from '../ingest/demographics.ts';

/** Range of construction years, inclusive */
export interface YearRange {
  from: number;
  to: number;
}

/**
 * The bands of `homeAgePre1980Pct`, `homeAge19801999Pct`, and `homeAge2000PlusPct`. About three
 * quarters of the homes from before 1980 were built in 1940 or later (ACS 2022, B25034), so the
 * first band starts there.
 */
const COARSE_BANDS: readonly YearRange[] = [
  { from: 1940, to: 1979 },
  { from: 1980, to: 1999 },
  { from: 2000, to: Infinity },
];

/** Returns the construction years of homes from `youngest` to `oldest` years old. */
export function builtAtAge(youngest: number, oldest: number, asOfYear: number): YearRange {
  return { from: asOfYear - oldest, to: asOfYear - youngest };
}

/**
 * Returns the share of a ZIP code's homes built in a range of years. Assumes that the homes of a
 * band are spread evenly over its years. Uses the ten decades of B25034 or, if those are incomplete,
 * the three coarse bands.
 *
 * @param asOfYear the last year of the vintage, which ends the newest band
 * @returns 0..1; NaN if neither source is complete or there are no homes
 */
export function shareBuilt(zip: Figures, range: YearRange, asOfYear: number): number {
  const byDecade = shareOf(BUILT_DECADES, zip.homesByDecadeBuilt ?? [], range, asOfYear);
  if (!Number.isNaN(byDecade)) return byDecade;
  const shares = [zip.homeAgePre1980Pct, zip.homeAge19801999Pct, zip.homeAge2000PlusPct];
  return shareOf(COARSE_BANDS, shares, range, asOfYear);
}

/** Returns NaN if the figure of any band is missing or a Census sentinel. */
function shareOf(
  bands: readonly YearRange[],
  homes: readonly (number | null)[],
  range: YearRange,
  asOfYear: number,
): number {
  let inRange = 0;
  let all = 0;
  // For each ZIP code and signal of a country: objects and iterators would take most of the time.
  for (let i = 0; i < bands.length; i++) {
    const { from, to } = bands[i]!;
    const count = homes[i] ?? NaN;
    if (!(count >= 0 && count < Infinity)) return NaN;
    const lastYear = Math.max(from, Math.min(to, asOfYear));
    const shared = Math.min(lastYear, range.to) - Math.max(from, range.from) + 1;
    if (shared > 0) inRange += count * (shared / (lastYear - from + 1));
    all += count;
  }
  return inRange / all;
}
