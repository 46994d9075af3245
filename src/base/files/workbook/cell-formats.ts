/**
 * Number formats of a workbook that change what a number means: dates, durations, percentages, and ZIP codes that are
 * numbers. Pure.
 */

/** What the number is, a function that writes it, or null for any other number */
export type CellFormat =
  | 'date'
  /** Hours and minutes: a time of day, or a duration */
  | 'time'
  /** A duration, which may exceed a day */
  | 'hours'
  | 'percent'
  | ((value: number) => string)
  | null;

/** Formats that every workbook has (ECMA-376, 18.8.30) */
const BUILT_IN = new Map<number, CellFormat>([
  ...[14, 15, 16, 17, 22, 27, 30, 36, 50, 57].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 45, 47].map((id) => [id, 'time'] as const),
  [46, 'hours'] as const,
  [9, 'percent'] as const,
  [10, 'percent'] as const,
]);

/** @param code the format's own code; undefined for one that every workbook has */
export function formatOfCells(id: number, code: string | undefined): CellFormat {
  if (code === undefined) return BUILT_IN.get(id) ?? null;
  // Texts may contain any letter, and so do colors and conditions.
  const withoutTexts = code.replaceAll(/"[^"]*"|\\.|_./g, (part) => (part === '\\-' ? '-' : ''));
  if (/\[(?:h+|m+|s+)\]/i.test(withoutTexts)) return 'hours';
  const bare = withoutTexts.replaceAll(/\[[^\]]*\]/g, '').replace(/general/i, '');
  const [, plus4] = /^0{5}(-0{4})?$/.exec(bare) ?? [];
  if (plus4 !== undefined) {
    return (value) =>
      String(value)
        .padStart(9, '0')
        .replace(/(?=\d{4}$)/, '-');
  }
  if (bare === '00000') return (value) => String(value).padStart(5, '0');
  if (bare.includes('%')) return 'percent';
  if (/[dy]/i.test(bare)) return 'date';
  if (/[hs]/i.test(bare)) return 'time';
  return /m/i.test(bare) ? 'date' : null;
}

/** Returns the text that stands for a number, as a CSV file would have it, but durations in hours. */
export function formatCell(value: number, format: CellFormat, isFrom1904: boolean): string {
  if (format === null) return String(value);
  if (format === 'date') return dateText(value, isFrom1904);
  if (format === 'time') return timeText(value, isFrom1904);
  // A thousandth of a second is less than the precision of a number of days.
  if (format === 'hours') return String(Math.round(24e6 * value) / 1e6);
  if (format === 'percent') return `${hundredfold(value)}%`;
  return format(value);
}

/** Moves the point of the text, because a product adds digits: 100 * 0.07. */
const hundredfold = (value: number) =>
  /e/i.test(String(value)) ? 100 * value : Number(`${value}e2`);

const DAY_MS = 86_400_000;
/** Day 0. Excel counts a leap day in 1900, so earlier dates than March 1900 are off by one. */
const EPOCHS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };

/** `2025-03-31`, or `2025-03-31 14:30` */
function dateText(value: number, isFrom1904: boolean): string {
  const time = EPOCHS[isFrom1904 ? 1904 : 1900] + Math.round(value * 86_400) * 1_000;
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(value);
  const text = date.toISOString().replace('T', ' ');
  return text.slice(0, time % DAY_MS === 0 ? 10 : 16);
}

/** Days of a year: a larger number is a date with a time */
const YEAR = 366;

/** `14:30`, or `36:00:05` for more than a day */
function timeText(value: number, isFrom1904: boolean): string {
  if (Math.abs(value) > YEAR) return dateText(value, isFrom1904);
  const seconds = Math.round(Math.abs(value) * 86_400);
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3_600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  const two = (part: number) => String(part).padStart(2, '0');
  const text = `${hours}:${two(minutes!)}${rest === 0 ? '' : `:${two(rest!)}`}`;
  return value < 0 ? `-${text}` : text;
}
