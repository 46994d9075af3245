/** Figures as people read them in a terminal; what is unknown is a dash. */
import type { Paper } from './paper.ts';

type Figure = number | null | undefined;

const UNKNOWN = '–';

const known = (value: Figure, write: (value: number) => string) =>
  value === null || value === undefined ? UNKNOWN : write(value);

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

export const count = (value: Figure) => known(value, whole.format);
export const oneDecimal = (value: Figure) => known(value, tenths.format);

/** A calendar year has no thousands separator. */
export const year = (value: Figure) => known(value, String);

/** @param value 0..100 */
export const percent = (value: Figure) => known(value, (share) => `${tenths.format(share)} %`);

/** @param top what lies above it, the census tells as one dollar more: `$250,000+` */
export const dollars = (value: Figure, top: number) =>
  known(value, (amount) => (amount > top ? `$${whole.format(top)}+` : `$${whole.format(amount)}`));

export const named = (text: string | null | undefined) => text ?? UNKNOWN;

const BAR_CELLS = 10;

/** Of a score of 0 to 100: `━━━━━━━───`; nothing where there is none. */
export function scoreBar(paper: Paper, score: Figure): string {
  if (score === null || score === undefined) return '';
  const filled = Math.round((score / 100) * BAR_CELLS);
  return (
    paper.paint('cyan', '━'.repeat(filled)) + paper.paint('dim', '─'.repeat(BAR_CELLS - filled))
  );
}

const LONGEST_BAR_CELLS = 40;

/** Of a diagram: its largest value has the longest bar, and only 0 has none. */
export const lengthBar = (paper: Paper, value: number, largest: number) =>
  paper.paint('cyan', '━'.repeat(Math.ceil((value / largest) * LONGEST_BAR_CELLS)));
