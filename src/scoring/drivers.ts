/** Explains a ZIP code's score by the signals that raise or lower it most. */
import { SIGNALS, type RankedSignals, type ScoringSignal } from './signals.ts';
import type { WeightedInput } from './verticals.ts';

export interface Drivers {
  /** Signals that raise the score, strongest first, such as `More households than in 93% of ZIP codes` */
  lifts: string[];
  /** Signals that lower the score, strongest first */
  lowers: string[];
}

/** Minimum distance of a notable rank from the middle rank */
const NOTABLE = 0.1;

/**
 * Returns at most `count` drivers of each kind, ordered by their effect on the score: the weight times
 * the distance from the middle rank. Skips unknown signals.
 */
export function driversOf(
  inputs: readonly WeightedInput[],
  ranks: RankedSignals,
  row: number,
  count: number,
): Drivers {
  const effects = inputs
    .map((input) => {
      const above = ranks[input.signal][row]! - 0.5;
      const good = input.direction === 'higher' ? above : -above;
      return { input, above, effect: input.weight * good };
    })
    .filter(({ above }) => Math.abs(above) >= NOTABLE)
    .sort((a, b) => b.effect - a.effect);
  const describe = ({ input, above }: (typeof effects)[number]) =>
    `${compare(SIGNALS[input.signal], above > 0)} than in ` +
    // No ZIP code outranks itself.
    `${Math.min(99, Math.round(100 * (0.5 + Math.abs(above))))}% of ZIP codes`;
  return {
    lifts: effects
      .filter(({ effect }) => effect > 0)
      .slice(0, count)
      .map(describe),
    lowers: effects
      .filter(({ effect }) => effect < 0)
      .reverse()
      .slice(0, count)
      .map(describe),
  };
}

const COMPARATIVES: Record<ScoringSignal['unit'], readonly [more: string, less: string]> = {
  households: ['More', 'Fewer'],
  percent: ['Larger', 'Smaller'],
  dollars: ['Higher', 'Lower'],
  years: ['Higher', 'Lower'],
};

/** Returns text such as `More households`, `Smaller share of homes …`, or `Higher median home value`. */
function compare({ label, unit, compared }: ScoringSignal, isMore: boolean): string {
  const side = isMore ? 0 : 1;
  if (compared) return compared[side];
  return `${COMPARATIVES[unit][side]} ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}
