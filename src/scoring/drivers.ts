/** Why a ZIP code scores as it does, in words: the signals that lift or lower it most. Pure. */
import { SIGNALS, type RankedSignals } from './signals.ts';
import type { WeightedInput } from './verticals.ts';

export interface Drivers {
  /** Best first: `Households higher than in 93% of ZIP codes` */
  lifts: string[];
  /** Worst first */
  lowers: string[];
}

/** Ranks nearer to the middle than this say nothing. */
const NOTABLE = 0.1;

/**
 * At most `count` of each, by what they add to the mean or take from it: the weight times the
 * distance from the middle rank. Unknown signals are none.
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
  const said = ({ input, above }: (typeof effects)[number]) =>
    `${SIGNALS[input.signal].label} ${above > 0 ? 'higher' : 'lower'} than in ` +
    // No rank outdoes itself.
    `${Math.min(99, Math.round(100 * (0.5 + Math.abs(above))))}% of ZIP codes`;
  return {
    lifts: effects
      .filter(({ effect }) => effect > 0)
      .slice(0, count)
      .map(said),
    lowers: effects
      .filter(({ effect }) => effect < 0)
      .reverse()
      .slice(0, count)
      .map(said),
  };
}
