/** Finds the headings and the column of ZIP codes in a table. Pure. */
import { badRequest } from '../errors.ts';
import { joinFirst, pluralize } from '../text/words.ts';
import { truncateInput } from './finding.ts';
import { isZips } from './read-zip.ts';
import { SAMPLE_LINES, type Row } from './rows.ts';

export interface ZipTable {
  /** Index of the column with ZIP codes */
  column: number;
  /** Indexes of other columns that also have ZIP codes, such as those of another address */
  others: readonly number[];
  /** Whether a heading or the caller names the column. Otherwise, its content suggests it. */
  isNamed: boolean;
  /** Cells of the row with headings, or null without one */
  headings: readonly string[] | null;
  /** Rows above the headings, such as a title */
  preamble: readonly Row[];
  /** Rows below the headings */
  rows: readonly Row[];
}

/** A title, its date, and the account of an export take fewer. */
export const MAX_PREAMBLE = 20;
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
  ...['zip', 'zipcode', 'zip5', 'zips', 'zipcodes', 'zcta', 'zcta5', 'zcta5ce20', 'zcta5ce10'],
  ...['postalcode', 'postcode', 'postal', 'zippostalcode', 'zippostal', 'postalzip', 'zipcd'],
  ...['shippingzip', 'billingzip', 'mailingzip', 'geoid20', 'geoid10', 'geoid'],
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

const filledCells = ({ cells }: Row) => cells.filter((cell) => cell.trim() !== '').length;

function headedTable(rows: readonly Row[]): ZipTable | null {
  const at = findHeadings(rows, preferenceOf);
  if (at === null) return null;
  const headings = rows[at]!.cells;
  const preferences = headings.map(preferenceOf);
  const column = preferences.indexOf(Math.min(...preferences));
  const below = rows.slice(at + 1);
  const others = fullColumns(below).filter(
    (one) => one !== column && preferenceOf(headings[one] ?? '') !== Infinity,
  );
  return { column, others, isNamed: true, headings, preamble: rows.slice(0, at), rows: below };
}

/**
 * Finds the row of headings among the first ones: it has a heading with a preference, contains no ZIP codes, and has
 * more cells than a title.
 * @param preferenceOf lowest first; Infinity for any other text
 * @returns its index, or null without one
 */
export function findHeadings(
  rows: readonly Row[],
  preferenceOf: (cell: string) => number,
): number | null {
  let best: { at: number; filled: number; preference: number } | null = null;
  for (const [at, row] of rows.slice(0, MAX_PREAMBLE).entries()) {
    const preference = Math.min(...row.cells.map(preferenceOf));
    if (preference === Infinity || row.cells.some(isZips)) continue;
    const filled = filledCells(row);
    const isBetter =
      best === null ||
      filled > best.filled ||
      (filled === best.filled && preference < best.preference);
    if (isBetter) best = { at, filled, preference };
  }
  return best && best.at;
}

/** Returns whether there are no headings, and ZIP codes fill one row or all columns: a list, not a table. */
export function isPlainList({ isNamed, headings, rows, column, others }: ZipTable): boolean {
  if (isNamed) return false;
  if (headings === null && rows.length === 1) return true;
  const used = new Set(rows.slice(0, SAMPLE_LINES).flatMap(({ cells }) => filledIndexes(cells)));
  return [column, ...others].length === used.size;
}

export function tableByContent(rows: readonly Row[]): ZipTable | null {
  const [column, ...others] = fullColumns(rows);
  if (column === undefined) return null;
  const first = rows.findIndex(({ cells }) => isZips(cells[column] ?? ''));
  const isHeaded = first > 0 && first <= MAX_PREAMBLE;
  return {
    ...{ column, others, isNamed: false },
    headings: isHeaded ? rows[first - 1]!.cells : null,
    preamble: isHeaded ? rows.slice(0, first - 1) : [],
    rows: isHeaded ? rows.slice(first) : rows,
  };
}

const filledIndexes = (cells: readonly string[]) =>
  [...cells.keys()].filter((i) => cells[i]!.trim() !== '');

/** Returns the columns with ZIP codes in at least half of the rows, the fullest first. One row may be the headings. */
export function fullColumns(rows: readonly Row[]): number[] {
  const sample = rows.slice(0, SAMPLE_LINES);
  const counts: number[] = [];
  for (const { cells } of sample) {
    for (const [i, cell] of cells.entries()) {
      counts[i] = (counts[i] ?? 0) + (isZips(cell) ? 1 : 0);
    }
  }
  return [...counts.keys()]
    .filter((i) => counts[i]! > 0 && 2 * counts[i]! >= sample.length - 1)
    .sort((a, b) => counts[b]! - counts[a]! || a - b);
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
