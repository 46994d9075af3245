/**
 * Demographics to scores, as the CDC builds its Social Vulnerability Index: rank each signal, add
 * the ranks, rank the sum. Pure: reads and writes nothing.
 */
import type { Demographics } from '../ingest/demographics.ts';
import { percentiles } from './percentile.ts';
import { rankSignals, SIGNALS, type RankedSignals, type SignalKind } from './signals.ts';
import { VERTICALS, type VerticalSlug, type WeightedInput } from './verticals.ts';

/**
 * Least weight of known inputs for a score. Below one half, what is unknown weighs more than what
 * is known. It still scores every vertical when B25024 and B25034 are both missing, which costs at
 * most 0.34; and it leaves out prisons and dormitories, where people live but no household does.
 */
export const MIN_COVERAGE = 0.5;

/** One vertical's results; row i belongs to ZIP code i of the input. */
export interface VerticalScores {
  /**
   * Whole number 0..100: fits better than about that many percent of the scored ZIP codes. NaN:
   * none.
   */
  score: Float64Array;
  /** The score before rounding, 0..1: orders the ZIP codes that share a score. NaN: no score. */
  percentile: Float64Array;
  /** Weight of the inputs that are known, 0..1; 0 for unpopulated ZIP codes. Never NaN. */
  coverage: Float64Array;
}

/**
 * Scores all ZIP codes for all verticals. Scores compare ZIP codes within one call, so give it the
 * country.
 *
 * The same ZIP codes in another order get the same scores; ZIP codes that fit equally get equal
 * ones. A ZIP code that is alone in having a score gets 50. A ZIP code that is unpopulated or below
 * `MIN_COVERAGE` gets none and does not count in the ranking of the others.
 *
 * @param asOfYear last year of the ACS vintage, e.g. 2023 for 2019-2023
 */
export function scoreZips(
  zips: readonly Demographics[],
  asOfYear: number,
): Record<VerticalSlug, VerticalScores> {
  const signals = rankSignals(zips, asOfYear);
  return Object.fromEntries(
    VERTICALS.map(({ slug, inputs }) => [slug, scoreInputs(inputs, signals)]),
  ) as Record<VerticalSlug, VerticalScores>;
}

/**
 * The same for other weights than the public ones: all ZIP codes of the signals, with these inputs.
 */
export function scoreInputs(
  inputs: readonly WeightedInput[],
  signals: RankedSignals,
): VerticalScores {
  const { fit, coverage } = weigh(inputs, signals, signals.householdsTotal.length);
  const percentile = percentiles(fit);
  const score = percentile.map((part) => Math.round(100 * part));
  return { score, percentile, coverage };
}

/**
 * The weighted mean of the known inputs of every ZIP code, 0..1, NaN below `MIN_COVERAGE`.
 *
 * So what a ZIP code does not tell counts like the mean of what it does. Measured on ACS 2021 by
 * hiding the income of ZIP codes under 500 households, the ones the Census suppresses: on average
 * their roofing and hvac scores move by less than 1 point, those of professional services, with its
 * three inputs, by -8. Passing the weight on within its kind only would lift roofing and hvac by 4
 * to 5; counting the unknown as 0.5 would draw ZIP codes to the middle (of those in the top 5% for
 * hvac, three quarters would leave it). No correction for a mean of fewer inputs varying more:
 * `MIN_COVERAGE` bounds it.
 */
function weigh(
  inputs: readonly WeightedInput[],
  signals: RankedSignals,
  zipCount: number,
): { fit: Float64Array; coverage: Float64Array } {
  const scales = kindScales(inputs, signals);
  const columns = inputs.map(({ signal, direction, weight }) => ({
    ranks: signals[signal],
    lower: direction === 'lower',
    weight,
    scaled: weight * scales[SIGNALS[signal].kind],
  }));
  const fit = new Float64Array(zipCount);
  const coverage = new Float64Array(zipCount);
  for (let zip = 0; zip < zipCount; zip++) {
    let known = 0;
    let sum = 0;
    let weights = 0;
    for (const { ranks, lower, weight, scaled } of columns) {
      const rank = ranks[zip];
      if (Number.isNaN(rank)) continue;
      known += weight;
      sum += scaled * (lower ? 1 - rank : rank);
      weights += scaled;
    }
    coverage[zip] = tidy(known);
    fit[zip] = coverage[zip] < MIN_COVERAGE ? NaN : tidy(sum / weights);
  }
  return { fit, coverage };
}

/**
 * Factors that keep volume and propensity at their declared parts of the score nationally, however
 * much of each is known: declared weight / (known weight, summed over all ZIP codes). Without them
 * a file that lacks home ages and detached shares would raise volume from 0.3 of the roofing score
 * to 0.45, and big ZIP codes would drown the rest. Only their ratio counts. The factor of a kind
 * known nowhere is infinite, and no ZIP code uses it.
 */
function kindScales(
  inputs: readonly WeightedInput[],
  signals: RankedSignals,
): Record<SignalKind, number> {
  const declared = { volume: 0, propensity: 0 };
  const known = { volume: 0, propensity: 0 };
  for (const { signal, weight } of inputs) {
    const { kind } = SIGNALS[signal];
    declared[kind] += weight;
    known[kind] += weight * signals[signal].filter((rank) => !Number.isNaN(rank)).length;
  }
  return {
    volume: declared.volume / known.volume,
    propensity: declared.propensity / known.propensity,
  };
}

/** Undoes the noise of floating-point sums (0.1 + 0.2), so that what is equal compares equal. */
function tidy(value: number): number {
  return Math.round(value * 1e12) / 1e12;
}
