/** Changes of figures in words. Pure. */
import { formatTenths } from '../../base/text/words.ts';
import { FIGURE_TEXTS } from '../ingest/figure-texts.ts';
import type { ChangeUnit, FigureChange, NoChange } from './change.ts';

/** Formats a difference with its sign: `+4.2%`, `−0.8 points`, `+1.3 years`. */
export function formatChange(change: number, unit: ChangeUnit): string {
  const size = formatTenths(Math.abs(change));
  const sign = size === '0.0' ? '' : change < 0 ? '−' : '+';
  return `${sign}${size}${SUFFIXES[unit]}`;
}

const SUFFIXES: Readonly<Record<ChangeUnit, string>> = {
  percent: '%',
  points: ' points',
  years: ' years',
};

/** `+4.2% (±1.1)`, or `−0.8 points (±1.4, no clear change)`. An unknown change says why. */
export function changeText({ change, margin, unit, isClear, why }: FigureChange): string {
  if (change === null || margin === null) return REASONS[why ?? 'unknown'];
  const clear = isClear ? '' : ', no clear change';
  return `${formatChange(change, unit)} (±${formatTenths(margin)}${clear})`;
}

/** Why a change is unknown, in a few words */
export const REASONS: Readonly<Record<NoChange, string>> = {
  unknown: 'no estimate with a margin of error in both periods',
  median: 'medians of several ZIP codes can’t be added',
  area: 'its area changed, and medians can’t be divided',
  prices: 'the prices of these years aren’t known',
  period: 'no two periods without a common year',
};

/** `households +4.2% (±1.1)` */
export const figureChangeText = (change: FigureChange): string =>
  `${FIGURE_TEXTS[change.figure].label.toLowerCase()} ${changeText(change)}`;
