/** Formats figures for a terminal. A missing value becomes a dash. */
import type { Layout } from './layout.ts';

type Figure = number | null | undefined;

const DASH = '–';

const orElseDash = (value: Figure, format: (value: number) => string) =>
  value === null || value === undefined ? DASH : format(value);

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

export const formatCount = (value: Figure) => orElseDash(value, whole.format);
export const formatTenths = (value: Figure) => orElseDash(value, tenths.format);

/** Years have no thousands separator. */
export const formatYear = (value: Figure) => orElseDash(value, String);

/** @param value 0..100 */
export const formatPercent = (value: Figure) =>
  orElseDash(value, (share) => `${tenths.format(share)}%`);

/** @param topCode the census's code for "at least one dollar less": 250,001 reads `$250,000+` */
export const formatDollars = (value: Figure, topCode: number) =>
  orElseDash(value, (amount) =>
    amount >= topCode ? `$${whole.format(topCode - 1)}+` : `$${whole.format(amount)}`,
  );

export const orDash = (text: string | null | undefined) => text ?? DASH;

const BAR_CELLS = 10;

/** A score of 0 to 100 as `━━━━━━━───`; empty without a score. */
export function scoreBar(layout: Layout, score: Figure): string {
  if (score === null || score === undefined) return '';
  const filled = Math.round((score / 100) * BAR_CELLS);
  return (
    layout.paint('cyan', '━'.repeat(filled)) + layout.paint('dim', '─'.repeat(BAR_CELLS - filled))
  );
}

const LONGEST_BAR_CELLS = 40;

/** A bar of a chart. Any value above 0 gets at least one cell. */
export const lengthBar = (layout: Layout, value: number, largest: number) =>
  layout.paint('cyan', '━'.repeat(Math.ceil((value / largest) * LONGEST_BAR_CELLS)));
