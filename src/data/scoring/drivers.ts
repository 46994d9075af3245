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
 * @param own texts of own data, by signal
 */
export function driversOf(
  inputs: readonly OwnInput[],
  ranks: RankedSignals,
  row: number,
  count: number,
  own: ReadonlyMap<string, OwnTexts> = new Map(),
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
    `${compare(textsOf(input.signal, own), above > 0)} than in ` +
    // No ZIP code outranks itself.
    `${Math.min(99, Math.round(100 * (0.5 + Math.abs(above))))}% of ${own.get(input.signal)?.among ?? 'ZIP codes'}`;
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

/** Texts of an organization's own data */
interface OwnTexts {
  label: string;
  /** `ZIP codes`, or `ZIP codes with data` */
  among: string;
}

type SignalTexts = Pick<ScoringSignal, 'label'> &
  ({ compared: readonly [more: string, less: string] } | Pick<ScoringSignal, 'unit' | 'compared'>);

/** Returns the texts of a signal. Names of data sets stay as people wrote them: `Higher "Jobs 2025"`. */
function textsOf(signal: SignalId | OwnSignal, own: ReadonlyMap<string, OwnTexts>): SignalTexts {
  if (signal in SIGNALS) return SIGNALS[signal as SignalId] as ScoringSignal;
  const label = `"${own.get(signal)?.label}"`;
  return { label, compared: [`Higher ${label}`, `Lower ${label}`] };
}

/** Returns text such as `More households`, `Smaller share of homes …`, or `Higher median home value`. */
function compare(texts: SignalTexts, isMore: boolean): string {
  const side = isMore ? 0 : 1;
  if (!('unit' in texts)) return texts.compared[side];
  const { label, unit, compared } = texts;
  if (compared) return compared[side];
  return `${COMPARATIVES[unit][side]} ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}
