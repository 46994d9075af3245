/** Finds the headings of a table, which may take two lines. Pure. */
import { isZips } from './read-zip.ts';
import type { Row } from '../files/rows.ts';

/** A title, its date, and the account of an export take fewer. */
export const MAX_PREAMBLE = 20;

export interface Headings {
  /** One for each column; empty without one */
  names: readonly string[];
  /** Number of rows above the headings, such as a title */
  titles: number;
  /** Number of rows above the first row with data */
  skipped: number;
}

const textAt = ({ cells }: Row, column: number) => (cells[column] ?? '').trim();
const filledCells = ({ cells }: Row) => cells.filter((cell) => cell.trim() !== '').length;
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

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

/**
 * Joins the lines of headings: `2024` above `Jobs` is `2024 Jobs`.
 * @param at the row of headings that was found
 * @param key the column that places rows, which has a value in each row
 */
export function joinHeadings(rows: readonly Row[], at: number, key: number): Headings {
  const row = rows[at]!;
  const [above, below] = [rows[at - 1], rows[at + 1]];
  if (below !== undefined && isSecondLine(rows, at, key)) {
    return { names: joined(row, below), titles: at, skipped: at + 2 };
  }
  if (above !== undefined && isGroupLine(above, row, key)) {
    return { names: joined(above, row), titles: at - 1, skipped: at + 1 };
  }
  return { names: row.cells.map(oneLine), titles: at, skipped: at + 1 };
}

/** Longest heading, in characters. The patterns take long for long texts. */
const MAX_LABEL = 80;
const YEAR = /^(?:19|20)\d{2}$/;
/** Also `1e3` and `1.2K` */
const isNumberLike = (cell: string) =>
  cell.length <= MAX_LABEL && /^[-+$( ]*\d[\d.,]*(?:e[-+]?\d+|[a-z])?\W*$/i.test(cell);
const isLabel = (cell: string) =>
  YEAR.test(cell) ||
  (/[\p{L}$%#]/u.test(cell) && cell.length <= MAX_LABEL && !isZips(cell) && !isNumberLike(cell));
/** A second line below a complete first one. Other texts there may be a row whose key is missing. */
const isUnit = (cell: string) =>
  YEAR.test(cell) ||
  /^\(.*\)$|[$%#]|^(?:hours?|minutes?|days?|usd|dollars|count|units?)$/i.test(cell);
/** ZIP codes, coordinates, and addresses in the key column */
const PLACE = /\d\d/;
const NOTHING = /^(?:n\/?a|none|null|unknown|tbd)$/i;

const filledColumns = (row: Row) =>
  [...row.cells.keys()].filter((column) => textAt(row, column) !== '');
const isMerged = ({ covered }: Row) => covered !== undefined && covered.size > 0;

/** Whether the row below the headings has more of them: labels above numbers, and nothing in the key column */
function isSecondLine(rows: readonly Row[], at: number, key: number): boolean {
  const [row, below] = [rows[at]!, rows[at + 1]!];
  const data = rows.slice(at + 2, at + 2 + MAX_PREAMBLE);
  const filled = filledColumns(below);
  const placed = data.filter((one) => PLACE.test(textAt(one, key)));
  const isLine =
    2 * placed.length > data.length &&
    textAt(below, key) === '' &&
    filled.length > 0 &&
    filled.every(
      (column) => isLabel(textAt(below, column)) && !NOTHING.test(textAt(below, column)),
    );
  if (!isLine) return false;
  if (isMerged(row) || isMerged(below)) return true;
  const isNumeric = (column: number) => {
    const cells = data.map((one) => textAt(one, column)).filter((cell) => cell !== '');
    return cells.length > 0 && 2 * cells.filter(isNumberLike).length >= cells.length;
  };
  return filled.some((column) => textAt(row, column) === '')
    ? filled.some(isNumeric)
    : filled.every(isNumeric) && filled.some((column) => isUnit(textAt(below, column)));
}

/** Whether the row above the headings says which of equal or merged columns is which. A title doesn't. */
function isGroupLine(above: Row, row: Row, key: number): boolean {
  const filled = filledColumns(above);
  if (filled.length === 0 || !filled.every((column) => isLabel(textAt(above, column))))
    return false;
  const isOverKey = textAt(above, key) !== '' || above.covered?.has(key);
  if (isMerged(above)) return !isOverKey || filled.length > 1;
  const names = row.cells.map(oneLine).filter((name) => name !== '');
  return !isOverKey && new Set(names).size < names.length;
}

function joined(upper: Row, lower: Row): string[] {
  const width = Math.max(upper.cells.length, lower.cells.length);
  const merged = isMerged(upper) || isMerged(lower);
  let spanning = '';
  return Array.from({ length: width }, (_, column) => {
    const [first, second] = [upper, lower].map((row) => oneLine(textAt(row, column))) as [
      string,
      string,
    ];
    // Without merged cells, a heading spans the empty cells after it if there is another heading below it.
    if (first !== '') spanning = second === '' ? '' : first;
    const above = first || (merged ? oneLine(upper.covered?.get(column) ?? '') : spanning);
    return [above, second]
      .filter((part, i, [other]) => part !== '' && (i === 0 || part !== other))
      .join(' ');
  });
}
