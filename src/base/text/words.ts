/** Numbers and lists in sentences, on pages, and in the terminal. */

type Figure = number | null | undefined;

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const conjunction = new Intl.ListFormat('en-US', { type: 'conjunction' });

/** Replaces an unknown value. */
const UNKNOWN = '–';

export const orDash = (text: string | null | undefined) => text ?? UNKNOWN;

const orElseDash = (value: Figure, format: (value: number) => string) =>
  value === null || value === undefined ? UNKNOWN : format(value);

/** `12,345`, or a dash if unknown */
export const formatCount = (value: Figure) => orElseDash(value, whole.format);

/** `61.4`, or a dash if unknown */
export const formatTenths = (value: Figure) => orElseDash(value, tenths.format);

/** The lowest and highest values of a scale. They stand for all values at or beyond them */
export interface ScaleEnds {
  lowest?: number;
  highest?: number;
}

/** A year, without a thousands separator, such as `1987` or `1939 or earlier`; a dash if unknown */
export const formatYear = (value: Figure, { lowest = -Infinity }: ScaleEnds = {}) =>
  orElseDash(value, (year) => (year <= lowest ? `${lowest} or earlier` : String(year)));

/** `61.4%`, or a dash if unknown. @param value from 0 to 100 */
export const formatPercent = (value: Figure) =>
  orElseDash(value, (share) => `${tenths.format(share)}%`);

/** `+12.4%`, `−3.0%`, `0%`: a difference, in percent */
export function formatSignedPercent(percent: number): string {
  const text = Math.abs(percent).toFixed(1);
  return Number(text) === 0 ? '0%' : `${percent < 0 ? '−' : '+'}${text}%`;
}

/**
 * `$84,200`, or a dash if unknown
 * @param ends the census's codes for amounts beyond its scale. The code 250,001 becomes `$250,000+`, and 2,499 becomes
 *   `$2,500 or less`
 */
export const formatDollars = (
  value: Figure,
  { lowest = -Infinity, highest = Infinity }: ScaleEnds = {},
) =>
  orElseDash(value, (amount) => {
    if (amount >= highest) return `$${whole.format(highest - 1)}+`;
    if (amount <= lowest) return `$${whole.format(lowest + 1)} or less`;
    return `$${whole.format(amount)}`;
  });

/** `1 ZIP code`, `12 ZIP codes`, `2 entries` */
export const pluralize = (n: number, noun: string, plural = `${noun}s`) =>
  `${whole.format(n)} ${n === 1 ? noun : plural}`;

/** `an owner`, `a reviewer`: by the first letter, which is right for the nouns in use */
export const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** `2 ZIP codes without a boundary are not drawn.`; empty if there are none */
export const notDrawn = (zips: number) =>
  zips === 0
    ? ''
    : `${pluralize(zips, 'ZIP code')} without a boundary ${zips === 1 ? 'is' : 'are'} not drawn.`;

/** `Dallas, TX`, without unknown parts */
export const placeName = (city: string | null, state: string | null) =>
  [city, state].filter((part) => part !== null).join(', ');

/** Shortens a comment for a list. The structured data contains the full text. */
export const truncate = (text: string, most = 100) =>
  text.length > most ? `${text.slice(0, most).trimEnd()}…` : text;

const MAX_GIVEN_LENGTH = 80;

/** Returns the input for messages and reports, which can store neither U+0000 nor half of a surrogate pair. */
export const truncateInput = (given: string) =>
  (given.length > MAX_GIVEN_LENGTH ? `${given.slice(0, MAX_GIVEN_LENGTH)}…` : given)
    .replaceAll('\0', '\uFFFD')
    .replaceAll(/\p{Cs}/gu, '\uFFFD');

/** `roofing, gutters, and HVAC` */
export const joinWithAnd = (items: readonly string[]) => conjunction.format(items);

/** `1 point and 2 lines were ignored`, or null if nothing was. @param counts by noun */
export function wereIgnored(counts: Readonly<Record<string, number>>): string | null {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  if (some.length === 0) return null;
  const isOne = some.length === 1 && some[0]![1] === 1;
  return `${joinWithAnd(some.map(([noun, count]) => pluralize(count, noun)))} ${isOne ? 'was' : 'were'} ignored`;
}

/** `75201, 75202, and 3 more` */
export function joinFirst(items: readonly string[], atMost = 20): string {
  const rest = items.length - atMost;
  return rest > 0 ? `${items.slice(0, atMost).join(', ')}, and ${rest} more` : items.join(', ');
}

/** `Already live (2): 75201, 75202.`; no line for an empty list */
export const labeledList = (label: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`${label} (${items.length}): ${joinFirst(items, 50)}.`];

/** `for mail only` as `For mail only.` */
export const asSentence = (phrase: string) => `${phrase[0]!.toUpperCase()}${phrase.slice(1)}.`;

/** Suffix of a count that covers only one page: `12 ZIP codes, and more` */
export const moreSuffix = (nextCursor: string | null) => (nextCursor === null ? '' : ', and more');

/** The line that explains how to get the next page, if there is one. */
export const nextPageLine = (nextCursor: string | null): string[] =>
  nextCursor === null ? [] : [`More: pass cursor ${nextCursor}.`];

/** The statuses of a ZIP code in a brand, on maps, in tables, and in files */
export const ZIP_STATUS_LABELS = {
  live: 'Live',
  pending: 'Pending review',
  removed: 'Removed',
} as const;

/** `0.4 miles`; `1 mile` */
export const formatMiles = (miles: number) => {
  const text = formatTenths(miles);
  return `${text} ${text === '1' || text === '1.0' ? 'mile' : 'miles'}`;
};
