/**
 * Scores demographics with the method of the CDC's Social Vulnerability Index: ranks each signal, adds
 * the ranks, and ranks the sums.
 */
import type { Demographics } from '../ingest/demographics.ts';
import { percentiles } from './percentile.ts';
import {
  rankSignals,
  SIGNALS,
  type OwnSignal,
  type RankedSignals,
  type SignalId,
} from './signals.ts';
import { VERTICALS, type OwnInput, type VerticalSlug } from './verticals.ts';

/**
 * Minimum total weight of known inputs for a score. Below one half, the unknown inputs would
 * outweigh the known ones. Without B25024 and B25034, a loss of at most 0.34, all verticals still have
 * scores. A ZIP code with residents but no households, such as a prison, gets none.
 */
export const MIN_COVERAGE = 0.5;

/** The results of one vertical. Row i belongs to ZIP code i of the input. */
export interface VerticalScores {
  /** Integer 0..100: about the percentage of scored ZIP codes that fit less well. NaN without a score. */
  score: Float64Array;
  /** The unrounded score, 0..1, which orders ZIP codes with equal scores. NaN without a score. */
  percentile: Float64Array;
  /** Total weight of the known inputs, 0..1; 0 for unpopulated ZIP codes. Never NaN. */
  coverage: Float64Array;
}

/**
 * Scores all ZIP codes for all verticals. Scores compare the ZIP codes of one call, so pass the
 * whole country.
 *
 * The order of the ZIP codes doesn't matter, and ZIP codes that fit equally well get equal scores.
 * If only one ZIP code has a score, it is 50. ZIP codes that are unpopulated or below
 * `MIN_COVERAGE` get no score and don't affect the others.
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

/** Scores all ZIP codes of the signals with custom inputs. */
export function scoreInputs(inputs: readonly OwnInput[], signals: RankedSignals): VerticalScores {
  const { fit, coverage } = weigh(inputs, signals, signals.householdsTotal.length);
  const percentile = percentiles(fit);
  const score = percentile.map((part) => Math.round(100 * part));
  return { score, percentile, coverage };
}

/**
 * Returns the weighted mean of each ZIP code's known inputs, 0..1; NaN below `MIN_COVERAGE`.
 *
 * An unknown input therefore counts like the mean of the known ones. We measured this on ACS 2021
 * by hiding the income of ZIP codes with fewer than 500 households, which the Census tends to
 * suppress. On average, their roofing and HVAC scores change by less than 1 point, and those of
 * professional services, which has only three inputs, by -8. We rejected two alternatives:
 * distributing the weight only within a kind of input raises roofing and HVAC by 4 to 5 points, and
 * counting an unknown input as 0.5 draws ZIP codes to the middle (three quarters of the top 5% for
 * HVAC would drop out of it). A mean of fewer inputs varies more. `MIN_COVERAGE` limits that, so there
 * is no correction.
 */
export function weigh(
  inputs: readonly OwnInput[],
  signals: RankedSignals,
  zipCount: number,
): { fit: Float64Array; coverage: Float64Array } {
  const scaled = scaledWeights(inputs, signals);
  const columns = inputs.map(({ signal, direction, weight }, i) => ({
    ranks: signals[signal],
    lower: direction === 'lower',
    weight,
    scaled: scaled[i]!,
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
    coverage[zip] = removeNoise(known);
    fit[zip] = coverage[zip] < MIN_COVERAGE ? NaN : removeNoise(sum / weights);
  }
  return { fit, coverage };
}

/** Returns the shares of a ZIP code's known inputs in its mean, which sum to 1; 0 for unknown inputs. */
export function weightsAt(
  inputs: readonly OwnInput[],
  signals: RankedSignals,
  row: number,
): number[] {
  const known = scaledWeights(inputs, signals).map((scaled, i) =>
    signals[inputs[i]!.signal][row]! >= 0 ? scaled : 0,
  );
  const sum = known.reduce((total, weight) => total + weight, 0);
  return known.map((weight) => (weight === 0 ? 0 : weight / sum));
}

function scaledWeights(inputs: readonly OwnInput[], signals: RankedSignals): number[] {
  const scales = kindScales(inputs, signals);
  return inputs.map(({ signal, weight }) => weight * scales[kindOf(signal)]);
}

const kindOf = (signal: SignalId | OwnSignal) =>
  signal in SIGNALS ? SIGNALS[signal as SignalId].kind : 'own';

/**
 * Returns factors that keep volume and propensity at their declared shares of the score nationally,
 * even if inputs are missing: declared weight / (known weight, summed over all ZIP codes). Without
 * them, a file that lacks home ages and detached shares would raise volume from 0.3 to 0.45 of the
 * roofing score, and large ZIP codes would dominate. Only the ratio of the factors matters. If a
 * kind is unknown everywhere, its factor is infinite, and no ZIP code uses it.
 *
 * An organization's own data counts as if it were known everywhere: it is often known for 1% of the ZIP codes, and
 * would weigh a hundred times as much there.
 */
function kindScales(inputs: readonly OwnInput[], signals: RankedSignals) {
  const declared = { volume: 0, propensity: 0 };
  const known = { volume: 0, propensity: 0 };
  for (const { signal, weight } of inputs) {
    const kind = kindOf(signal);
    if (kind === 'own') continue;
    declared[kind] += weight;
    known[kind] += weight * countKnown(signals[signal]);
  }
  return {
    volume: declared.volume / known.volume,
    propensity: declared.propensity / known.propensity,
    own: 1 / countKnown(signals.householdsTotal),
  };
}

function countKnown(ranks: Float64Array): number {
  let count = 0;
  for (const rank of ranks) if (!Number.isNaN(rank)) count++;
  return count;
}

/** Removes floating-point noise (0.1 + 0.2), so that equal sums compare as equal. */
export function removeNoise(value: number): number {
  return Math.round(value * 1e12) / 1e12;
}
