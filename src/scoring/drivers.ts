/** Explains a ZIP code's score by the signals that raise or lower it most. */
import {
  SIGNALS,
  type OwnSignal,
  type RankedSignals,
  type ScoringSignal,
  type SignalId,
} from './signals.ts';
import type { OwnInput } from './verticals.ts';

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
 * @param labels display texts of own data, which is compared with the ZIP codes among which it is ranked
 */
export function driversOf(
  inputs: readonly OwnInput[],
  ranks: RankedSignals,
  row: number,
  count: number,
  labels: ReadonlyMap<string, string> = new Map(),
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
    `${compare(textsOf(input.signal, labels), above > 0)} than in ` +
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

/** Returns the texts of a signal. Names of data sets stay as people wrote them: `More "Jobs 2025"`. */
function textsOf(signal: SignalId | OwnSignal, labels: ReadonlyMap<string, string>) {
  if (signal in SIGNALS) return SIGNALS[signal as SignalId] as ScoringSignal;
  const label = `"${labels.get(signal)}"`;
  return { label, unit: 'years', compared: [`Higher ${label}`, `Lower ${label}`] } as const;
}

/** Returns text such as `More households`, `Smaller share of homes …`, or `Higher median home value`. */
function compare(
  { label, unit, compared }: Pick<ScoringSignal, 'label' | 'unit' | 'compared'>,
  isMore: boolean,
): string {
  const side = isMore ? 0 : 1;
  if (compared) return compared[side];
  return `${COMPARATIVES[unit][side]} ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}
