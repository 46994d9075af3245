/** Numbers in sentences. Pure. */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `12,345`; a dash if unknown (NaN) */
export const formatCount = (value: number): string =>
  Number.isNaN(value) ? '–' : whole.format(value);

/** `1 ZIP code`, `12 ZIP codes` */
export const countZips = (count: number): string =>
  `${whole.format(count)} ZIP ${count === 1 ? 'code' : 'codes'}`;

/** `+12%`, `−3%`, `0%`; a dash if unknown */
export function formatDeviation(percent: number): string {
  if (Number.isNaN(percent)) return '–';
  const rounded = Math.abs(percent) < 10 ? Math.round(10 * percent) / 10 : Math.round(percent);
  const sign = rounded > 0 ? '+' : rounded < 0 ? '−' : '';
  return `${sign}${Math.abs(rounded)}%`;
}

/** `North, South, and West` */
export const formatList = (names: Iterable<string>): string =>
  new Intl.ListFormat('en-US', { type: 'conjunction' }).format(names);

/** Number of ZIP codes that a sentence names */
const FEW = 6;

/** `75201, 75202, and 75204`; of many, the first ones and how many more there are */
export const namedZips = (zips: readonly string[]): string =>
  zips.length <= FEW
    ? formatList(zips)
    : `${zips.slice(0, FEW).join(', ')} and ${formatCount(zips.length - FEW)} more`;
