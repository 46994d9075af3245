/** Number formats of a workbook that change what a number means: dates, and ZIP codes that are numbers. Pure. */

/** `date`, a function that writes the number, or null for any other number */
export type CellFormat = 'date' | ((value: number) => string) | null;

/** Numbers of the formats for dates and times that every workbook has (ECMA-376, 18.8.30) */
const BUILT_IN_DATES = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57,
]);

/** @param code the format's own code; undefined for one that every workbook has */
export function formatOfCells(id: number, code: string | undefined): CellFormat {
  if (code === undefined) return BUILT_IN_DATES.has(id) ? 'date' : null;
  // Colors, conditions, and texts may contain any letter.
  const bare = code.replaceAll(/\[[^\]]*\]|"[^"]*"|\\./g, (part) => (part === '\\-' ? '-' : ''));
  const [, plus4] = /^0{5}(-0{4})?$/.exec(bare) ?? [];
  if (plus4 !== undefined) {
    return (value) =>
      String(value)
        .padStart(9, '0')
        .replace(/(?=\d{4}$)/, '-');
  }
  if (bare === '00000') return (value) => String(value).padStart(5, '0');
  return /[dmyhs]/i.test(bare.replace(/general/i, '')) ? 'date' : null;
}

const DAY_MS = 86_400_000;
/** Day 0. Excel counts a leap day in 1900, so earlier dates than March 1900 are off by one. */
const EPOCHS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };

/** `2025-03-31`, or `2025-03-31 14:30` */
export function dateText(value: number, isFrom1904: boolean): string {
  const time = EPOCHS[isFrom1904 ? 1904 : 1900] + Math.round(value * 86_400) * 1_000;
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(value);
  const text = date.toISOString().replace('T', ' ');
  return text.slice(0, time % DAY_MS === 0 ? 10 : 16);
}
