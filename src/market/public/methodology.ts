/** How a vertical's score comes about, told from the data that the scoring itself uses. */
import type { Complete, PublicVerticalSummary } from '../../contract/resources.ts';
import { MIN_COVERAGE } from '../../scoring/score.ts';
import { SIGNALS, type SignalKind } from '../../scoring/signals.ts';
import type { Vertical } from '../../scoring/verticals.ts';

/** What drives the score, the heaviest first. */
export function signalsOf({ inputs }: Vertical): Complete<typeof PublicVerticalSummary>['signals'] {
  return inputs
    .map(({ signal, direction, weight, reason }) => {
      const { label, source, kind } = SIGNALS[signal];
      return { signal, label, source, kind, direction, weight, reason };
    })
    .sort((a, b) => b.weight - a.weight);
}

/** In plain words. */
export function methodologyOf(vertical: Vertical): string {
  return [
    `The ${vertical.label} score of a ZIP code runs from 0 to 100: a score of 83 means that the ZIP ` +
      'fits better than about 83 % of all scored ZIP codes of the country.',
    `It is made of ${vertical.inputs.length} signals of the Census’s American Community Survey. Each ` +
      'is ranked nationally among the ZIP codes where people live, the ranks are weighted and ' +
      'summed, and the sum is ranked again.',
    `Signals of volume, how many could buy, make ${percent(weightOf(vertical, 'volume'))} of the ` +
      'score; signals of propensity, how likely they are to, make ' +
      `${percent(weightOf(vertical, 'propensity'))}. So a big ZIP starts well but does not win by ` +
      'size alone.',
    'Where the Census suppresses a signal, the others carry its weight; a ZIP code of whose signals ' +
      `less than ${percent(MIN_COVERAGE)} by weight is known has no score.`,
  ].join(' ');
}

function weightOf({ inputs }: Vertical, kind: SignalKind): number {
  return inputs
    .filter(({ signal }) => SIGNALS[signal].kind === kind)
    .reduce((sum, { weight }) => sum + weight, 0);
}

const percent = (part: number) => `${Math.round(100 * part)} %`;
