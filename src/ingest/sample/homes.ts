/** Generates the construction decades of homes. */
import { BUILT_DECADES } from '../demographics.ts';
import { SAMPLE_YEAR } from './vintage.ts';

export interface Homes {
  /** Homes by decade, oldest first, as in `BUILT_DECADES` */
  byDecade: number[];
  medianYearBuilt: number;
  pre1980Pct: number;
  from1980To1999Pct: number;
  from2000Pct: number;
}

/**
 * Distributes homes over the decades: a bell curve around the year of strongest growth, plus a
 * minimum of 2% per decade, since some construction never stops.
 * @returns null for no homes
 */
export function homesBuilt(homes: number, peakYear: number, spreadYears: number): Homes | null {
  if (homes === 0) return null;
  const weights = BUILT_DECADES.map(({ from, to }) => {
    const share =
      normal((to + 1 - peakYear) / spreadYears) - normal((from - peakYear) / spreadYears);
    const years = Math.min(to, SAMPLE_YEAR) + 1 - from;
    return (share + 0.02) * Math.min(1, years / 10);
  });
  const byDecade = apportion(homes, weights);
  const share = (from: number, to: number) => {
    const built = byDecade.slice(from, to).reduce((sum, n) => sum + n, 0);
    return Math.round((1000 * built) / homes) / 10;
  };
  const [pre1980Pct, from2000Pct] = [share(0, 5), share(7, 10)];
  return {
    byDecade,
    medianYearBuilt: medianYear(byDecade, homes),
    pre1980Pct,
    from1980To1999Pct: Math.round(10 * (100 - pre1980Pct - from2000Pct)) / 10,
    from2000Pct,
  };
}

/**
 * Interpolates within the median's band, as the Census Bureau does; at least 1939, its lowest
 * value.
 */
function medianYear(byDecade: readonly number[], homes: number): number {
  let older = 0;
  for (const [i, { from, to }] of BUILT_DECADES.entries()) {
    const built = byDecade[i]!;
    if (older + built >= homes / 2) {
      const year = from + ((homes / 2 - older) / built) * (to + 1 - from);
      return Math.max(1939, Math.min(Math.floor(year), to, SAMPLE_YEAR));
    }
    older += built;
  }
  throw new Error('homes by decade do not add up to the homes');
}

/** Splits a total into integers in proportion to the weights (largest remainders). */
function apportion(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  const exact = weights.map((weight) => (total * weight) / sum);
  const counts = exact.map(Math.floor);
  const rest = total - counts.reduce((a, b) => a + b, 0);
  const byRemainder = exact.map((_, i) => i).sort((a, b) => (exact[b]! % 1) - (exact[a]! % 1));
  for (const i of byRemainder.slice(0, rest)) counts[i]!++;
  return counts;
}

/** Normal distribution function (logistic approximation, within 0.01). */
const normal = (z: number) => 1 / (1 + Math.exp(-1.702 * z));
