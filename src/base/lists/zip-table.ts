/** Finds the headings and the column of ZIP codes in a table. Pure. */
import { badRequest } from '../../errors.ts';
import { joinFirst, pluralize, truncateInput } from '../text/words.ts';
import { findHeadings, joinHeadings, MAX_PREAMBLE } from './headings.ts';
import { isZips } from './read-zip.ts';
import { SAMPLE_LINES, type Row } from '../files/rows.ts';

export interface ZipTable {
  /** Index of the column with ZIP codes */
  column: number;
  /** Indexes of other columns that also have ZIP codes, such as those of another address */
  others: readonly number[];
  /** Whether a heading or the caller names the column. Otherwise, its content suggests it. */
  isNamed: boolean;
  /** Whether some of the columns may be amounts with five digits */
  isUnsure: boolean;
  /** Cells of the row with headings, or null without one */
  headings: readonly string[] | null;
  /** Rows above the headings, such as a title */
  preamble: readonly Row[];
  /** Rows below the headings */
  rows: readonly Row[];
}

/** Longer rows are read as a list. */
const MAX_COLUMNS = 1_000;

/**
 * Finds the column with ZIP codes by its heading or its content.
 * @param wanted heading of the column, or its number, counted from 1
 * @returns null if no column has them
 * @throws ServiceError 400 without the wanted column
 */
export function findZipTable(rows: readonly Row[], wanted?: string): ZipTable | null {
  if (rows.slice(0, SAMPLE_LINES).some(({ cells }) => cells.length > MAX_COLUMNS)) return null;
  const headed = headedTable(rows) ?? tableByContent(rows);
  if (headed === null || wanted === undefined) return headed;
  const { column, others } = headed;
  const chosen = columnNamed(headed, wanted);
  return {
    ...headed,
    column: chosen,
    others: [column, ...others].filter((one) => one !== chosen).sort((a, b) => a - b),
    isNamed: true,
    isUnsure: false,
  };
}

/** `“Ship ZIP”`; `column 2` without headings, and also where two columns have the same one */
export const columnName = ({ headings }: Pick<ZipTable, 'headings'>, column: number): string => {
  const heading = (headings?.[column] ?? '').trim();
  const same = headings?.filter((one) => one.trim() === heading) ?? [];
  if (heading === '') return `column ${column + 1}`;
  const name = `“${truncateInput(heading)}”`;
  return same.length > 1 ? `${name} (column ${column + 1})` : name;
};

/** A sentence on the columns and lines that the reading left out; empty if there are none */
export function leftOut({ others, preamble, ...table }: ZipTable): string {
  const names = others.map((one) => columnName(table, one));
  return [
    ...(preamble.length === 0
      ? []
      : [`Skipped ${pluralize(preamble.length, 'line')} above the headings.`]),
    ...(names.length === 0 ? [] : [`The table also has ZIP codes in ${joinFirst(names, 5)}.`]),
  ].join(' ');
}

/** Headings in order of preference, in the form of `normalizeName` */
const HEADINGS = [
  'zip',
  'zipcode',
  'zip5',
  'zips',
  'zipcodes',
  'zcta',
  'zcta5',
  'zcta5ce20',
  'zcta5ce10',
  'postalcode',
  'postcode',
  'postal',
  'zippostalcode',
  'zippostal',
  'postalzip',
  'zipcd',
  'shippingzip',
  'billingzip',
  'mailingzip',
  'geoid20',
  'geoid10',
  'geoid',
];

export const normalizeName = (name: string) =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');

/** Returns the preference of a heading for ZIP codes, lowest first; Infinity for any other text. */
export function preferenceOf(cell: string): number {
  // `ZIP (5 digits)` is a heading, `Zips: 75201` isn't.
  if (/\d{5}/.test(cell) || cell.length > 80) return Infinity;
  const name = normalizeName(cell);
  const known = HEADINGS.indexOf(name);
  if (known >= 0) return known;
  return /zip|postal|postcode/.test(name) ? HEADINGS.length : Infinity;
}

function headedTable(rows: readonly Row[]): ZipTable | null {
  const at = findHeadings(rows, preferenceOf);
  if (at === null) return null;
  const preferences = rows[at]!.cells.map(preferenceOf);
  const column = preferences.indexOf(Math.min(...preferences));
  const { names: headings, titles, skipped } = joinHeadings(rows, at, column);
  const below = rows.slice(skipped);
  const others = fullColumns(below).filter(
    (one) => one !== column && preferenceOf(headings[one] ?? '') !== Infinity,
  );
  return {
    column,
    others,
    isNamed: true,
    isUnsure: false,
    headings,
    preamble: rows.slice(0, titles),
    rows: below,
  };
}

/** Returns whether there are no headings, and ZIP codes fill one row or all columns: a list, not a table. */
export function isPlainList({ isNamed, headings, rows, column, others }: ZipTable): boolean {
  if (isNamed) return false;
  if (headings === null && rows.length === 1) return true;
  const used = new Set(rows.slice(0, SAMPLE_LINES).flatMap(({ cells }) => filledIndexes(cells)));
  return [column, ...others].length === used.size;
}

export function tableByContent(rows: readonly Row[]): ZipTable | null {
  const { columns, isUnsure } = zipColumns(rows);
  const [column, ...others] = columns;
  if (column === undefined) return null;
  const first = rows.findIndex(({ cells }) => isZips(cells[column] ?? ''));
  const isHeaded = first > 0 && first <= MAX_PREAMBLE;
  return {
    column,
    others,
    isNamed: false,
    isUnsure,
    headings: isHeaded ? rows[first - 1]!.cells : null,
    preamble: isHeaded ? rows.slice(0, first - 1) : [],
    rows: isHeaded ? rows.slice(first) : rows,
  };
}

const filledIndexes = (cells: readonly string[]) =>
  [...cells.keys()].filter((i) => cells[i]!.trim() !== '');

interface Candidate {
  column: number;
  zips: string[];
  /** Numbers that aren't ZIP codes, with the four digits of a ZIP code that lost its zero, and all others */
  short: number;
  long: number;
}

const SHORT_NUMBER = /^\s*\d{3,4}\s*$/;
/** The pattern takes long for long texts. */
const MAX_NUMBER = 60;
const OTHER_NUMBER = /^[-+$(\s]*\d[\d.,\s]*\W*$/;

/** Returns the columns with ZIP codes in at least half of the rows, the fullest first. One row may be the headings. */
function candidatesIn(rows: readonly Row[]): Candidate[] {
  const sample = rows.slice(0, SAMPLE_LINES);
  const found = new Map<number, Candidate>();
  for (const { cells } of sample) {
    for (const [column, cell] of cells.entries()) {
      const candidate = found.get(column) ?? { column, zips: [], short: 0, long: 0 };
      found.set(column, candidate);
      if (isZips(cell)) candidate.zips.push(cell.trim());
      else if (SHORT_NUMBER.test(cell)) candidate.short++;
      else if (cell.length <= MAX_NUMBER && OTHER_NUMBER.test(cell)) candidate.long++;
    }
  }
  return [...found.values()]
    .filter(({ zips }) => zips.length > 0 && 2 * zips.length >= sample.length - 1)
    .sort((a, b) => b.zips.length - a.zips.length || a.column - b.column);
}

/** Returns the columns that are full of ZIP codes, or of numbers with five digits, the fullest first. */
export const fullColumns = (rows: readonly Row[]): number[] =>
  candidatesIn(rows).map(({ column }) => column);

/**
 * Tells full columns without headings from amounts with five digits: next to a column that has nothing but ZIP codes, a
 * column with other numbers has none. It's unsure if the ZIP codes of two columns would be in different regions.
 */
export function zipColumns(rows: readonly Row[]): { columns: number[]; isUnsure: boolean } {
  const full = candidatesIn(rows);
  const best = full.find(({ short, long }) => short + long === 0);
  const likely = full.filter((one) => best === undefined || !isAmount(one, best));
  const isUnsure = rows.length > 1 && likely.some((one) => !isNear(one, likely[0]!));
  if (isUnsure) likely.sort((a, b) => Number(isNarrow(b, a)) - Number(isNarrow(a, b)));
  return { columns: likely.map(({ column }) => column), isUnsure };
}

const prefixesOf = ({ zips }: Candidate) => new Set(zips.map((zip) => zip.slice(0, 3)));
const spread = (one: Candidate) => prefixesOf(one).size / one.zips.length;
/** ZIP codes of a business lie near each other: their first digits vary less than those of amounts. */
const isNarrow = (one: Candidate, than: Candidate) => 2 * spread(one) <= spread(than);

/** @param zips a column with ZIP codes only */
const isAmount = (one: Candidate, zips: Candidate) =>
  one.long > 0 || (one.short > 0 && (one.column > zips.column || isNarrow(zips, one)));

/** Whether at least half of the ZIP codes begin as some of another column */
function isNear(one: Candidate, other: Candidate): boolean {
  const prefixes = prefixesOf(other);
  return 2 * one.zips.filter((zip) => prefixes.has(zip.slice(0, 3))).length >= one.zips.length;
}

/**
 * Returns the index of a column by its heading, or by its number, counted from 1. `column 2` means a number even if another
 * heading is `2`.
 * @throws ServiceError 400 without the column
 */
export function columnNamed(
  { headings, rows }: Pick<ZipTable, 'headings' | 'rows'>,
  wanted: string,
): number {
  const name = normalizeName(wanted);
  const columns = Math.max(...rows.slice(0, SAMPLE_LINES).map(({ cells }) => cells.length), 0);
  const exact = (headings ?? []).findIndex((heading) => heading.trim() === wanted.trim());
  const [, number] = /^column(\d{1,4})$/.exec(name) ?? [];
  if (exact < 0 && number !== undefined && Number(number) <= columns && number !== '0') {
    return Number(number) - 1;
  }
  const named =
    exact >= 0 || name === ''
      ? exact
      : (headings ?? []).findIndex((heading) => normalizeName(heading) === name);
  const numbered = /^\d{1,4}$/.test(name) ? Number(name) - 1 : -1;
  if (named >= 0) return named;
  if (numbered >= 0 && numbered < columns) return numbered;
  const names = (headings ?? []).map((heading) => `"${truncateInput(heading.trim())}"`);
  throw badRequest(
    names.length === 0
      ? `The file has no headings and no column ${truncateInput(wanted)}. It has ${pluralize(columns, 'column')}.`
      : `The file has no column "${truncateInput(wanted)}". It has ${joinFirst(names)}.`,
  );
}
