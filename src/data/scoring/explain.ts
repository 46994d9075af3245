/**
 * Explains the score of one ZIP code: the points of each signal, and the score if one signal were different and
 * everything else stayed the same. Pure.
 */
import type { Demographics } from '../ingest/demographics.ts';
import type { NationalSignals } from './national-signals.ts';
import { percentileAmong } from './percentile.ts';
import { removeNoise, weigh, weightsAt } from './score.ts';
import { SIGNALS, type ScoringSignal, type SignalId } from './signals.ts';
import type { WeightedInput } from './verticals.ts';

export interface ScoreExplanation {
  /** 0..100, about the percentage of scored ZIP codes with a lower `mean`; null without enough data */
  score: number | null;
  /** Sum of all `points`, 0..100; null without a score */
  mean: number | null;
  /** Ordered by how much they could raise the score, most first; unknown signals come last */
  signals: ExplainedSignal[];
}

interface ExplainedSignal {
  signal: SignalId;
  /** Display text */
  label: string;
  /** Value in the unit that people read, such as a percentage of homes by age; null if unknown */
  value: number | null;
  unit: ScoringSignal['unit'];
  /** Percentage of populated ZIP codes with a lower value, 0..100; null if unknown */
  percentile: number | null;
  /** Share of the score, 0..1 */
  weight: number;
  /** Whether higher or lower values raise the score */
  better: WeightedInput['direction'];
  /** Points that the signal adds to `mean`, at most its share of the known weights; null if unknown */
  points: number | null;
  /** The score if this signal were at the national median; null if unknown */
  scoreAtMedian: number | null;
  /** The score if no ZIP code had a better value; null if unknown */
  scoreAtBest: number | null;
}

/** Explains a score. @param zip the demographics of the ZIP code */
export function explainScore(
  inputs: readonly WeightedInput[],
  { rowOf, ranks, asOfYear }: Pick<NationalSignals, 'rowOf' | 'ranks' | 'asOfYear'>,
  zip: Demographics,
): ScoreExplanation {
  const row = rowOf.get(zip.zip) ?? -1;
  const { fit } = weigh(inputs, ranks, ranks.householdsTotal.length);
  const own = fit[row] ?? NaN;
  const isScored = !Number.isNaN(own);
  const weights = weightsAt(inputs, ranks, row);
  const scoreOf = (mean: number) => Math.round(100 * percentileAmong(fit, row, mean));
  const signals = inputs.map(({ signal, direction, weight }, i): ExplainedSignal => {
    const { label, unit, shown, value } = SIGNALS[signal] as ScoringSignal;
    const rank = ranks[signal][row] ?? NaN;
    const isKnown = !Number.isNaN(rank);
    const favor = direction === 'lower' ? 1 - rank : rank;
    const share = weights[i]!;
    const scoreAt = (other: number) =>
      isKnown && isScored ? scoreOf(removeNoise(own + share * (other - favor))) : null;
    const raw = isKnown ? (shown ?? value)(zip, asOfYear) : NaN;
    return {
      signal,
      label,
      unit,
      weight,
      better: direction,
      value: Number.isNaN(raw) ? null : raw,
      percentile: isKnown ? 100 * rank : null,
      points: isKnown && isScored ? 100 * share * favor : null,
      scoreAtMedian: scoreAt(0.5),
      scoreAtBest: scoreAt(1),
    };
  });
  return {
    score: isScored ? scoreOf(own) : null,
    mean: isScored ? 100 * own : null,
    signals: signals.sort(
      (a, b) => (b.scoreAtBest ?? -1) - (a.scoreAtBest ?? -1) || b.weight - a.weight,
    ),
  };
}
