/** Amounts of data sets and their rates, in words. Pure; pages import it, too. */

interface Counted {
  /** `count`, `dollars`, or words such as `hours` */
  unit: string;
}

/** Decimals tell small amounts apart, and only clutter large ones. */
const digitsOf = (size: number): Intl.NumberFormatOptions =>
  size < 0.1 ? { maximumSignificantDigits: 1 } : { maximumFractionDigits: size < 100 ? 1 : 0 };

const centsOf = (size: number): Intl.NumberFormatOptions => ({
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
  maximumFractionDigits: size < 100 ? 2 : 0,
});

/** `78`, `$1,234`, or `12.5 hours`, or a dash if unknown */
export function formatAmount({ unit }: Counted, amount: number | null): string {
  if (amount === null) return '–';
  const size = Math.abs(amount);
  const number = amount.toLocaleString('en-US', (unit === 'dollars' ? centsOf : digitsOf)(size));
  return unit === 'count' || unit === 'dollars' ? number : `${number} ${unit}`;
}

/** What a rate is of */
export const PER_1000 = 'per 1,000 owner households';

/** `2.1 per 1,000 owner households`, or a dash if unknown */
export const formatRate = (set: Counted, rate: number | null): string =>
  rate === null ? '–' : `${formatAmount(set, rate)} ${PER_1000}`;
