/** Explains a vertical's score with the data that scoring uses. */
import type { Complete } from '../../../base/contract/resources.ts';
import type { PublicVerticalSummary } from '../../../base/contract/vertical-resources.ts';
import { MIN_COVERAGE } from '../../scoring/score.ts';
import { SIGNALS, type SignalKind } from '../../scoring/signals.ts';
import type { Vertical } from '../../scoring/verticals.ts';

/** The signals of a vertical, largest weight first. */
export function signalsOf({ inputs }: Vertical): Complete<typeof PublicVerticalSummary>['signals'] {
  return inputs
    .map(({ signal, direction, weight, reason }) => {
      const { label, source, kind } = SIGNALS[signal];
      return { signal, label, source, kind, direction, weight, reason };
    })
    .sort((a, b) => b.weight - a.weight);
}

/** Explains the score in a paragraph of plain English. */
export function methodologyOf(vertical: Vertical): string {
  return [
    `The ${vertical.label} score of a ZIP code ranges from 0 to 100. A score of 83 means that the ` +
      'ZIP code fits better than about 83% of all scored ZIP codes in the country.',
    `The score combines ${vertical.inputs.length} signals from the Census Bureau’s American Community ` +
      'Survey. Each signal is ranked nationally among populated ZIP codes. The ranks are weighted and ' +
      'added, and the sums are ranked again.',
    `Volume signals (how many households could buy) make up ${percent(weightOf(vertical, 'volume'))} ` +
      'of the score. Propensity signals (how likely they are to buy) make up ' +
      `${percent(weightOf(vertical, 'propensity'))}. A large ZIP code has an advantage, but size ` +
      'alone doesn’t win.',
    'If the Census Bureau suppresses a signal, the other signals share its weight. A ZIP code has no ' +
      `score if less than ${percent(MIN_COVERAGE)} of its signals by weight are known.`,
  ].join(' ');
}

function weightOf({ inputs }: Vertical, kind: SignalKind): number {
  return inputs
    .filter(({ signal }) => SIGNALS[signal].kind === kind)
    .reduce((sum, { weight }) => sum + weight, 0);
}

const percent = (part: number) => `${Math.round(100 * part)}%`;
