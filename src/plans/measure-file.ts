/** Reads a file with a measure: a table with a column of ZIP codes and a column of amounts. Pure. */
import { badRequest } from '../errors.ts';
import { truncateInput, type Reading } from '../territory/import/finding.ts';
import {
  cellReading,
  normalizeName,
  rowsOf,
  zipColumnOf,
  type Row,
  type ZipTable,
} from '../territory/import/zip-list.ts';
import { joinFirst } from '../text/words.ts';

export interface MeasureFile {
  /** Heading of the amounts; null without headings */
  heading: string | null;
  /** A sentence that names the columns read */
  summary: string;
  rows: MeasureRow[];
}

export interface MeasureRow {
  zip: Reading;
  amount: Amount;
}

export type Amount = { value: number; reason: null } | { value: null; reason: string };

/** Largest amount. Sums of larger amounts would lose digits. */
const MAX_AMOUNT = 1e12;

/**
 * Reads a file.
 * @param wanted heading of the amounts, if several columns have numbers
 * @throws ServiceError 400 for a file that is empty, too long, or lacks these columns
 */
export function readMeasureFile(text: string, wanted?: string): MeasureFile {
  const table = zipColumnOf(rowsOf(text));
  if (table === null || table.rows.length === 0) {
    throw badRequest(
      'The file has no column of ZIP codes. Give a CSV table with the headings zip and, for example, jobs.',
    );
  }
  const column = wanted === undefined ? amountColumn(table) : findColumn(table, wanted);
  const name = (at: number) =>
    table.headings === null ? `${at + 1}` : `“${truncateInput(headingAt(table, at))}”`;
  return {
    heading: table.headings === null ? null : headingAt(table, column) || null,
    summary: `Read from the columns ${name(table.column)} and ${name(column)}.`,
    rows: table.rows.map((row) => ({
      zip: cellReading(row, table.column),
      amount: readAmount(row.cells[column] ?? ''),
    })),
  };
}

const headingAt = ({ headings }: ZipTable, column: number) => (headings?.[column] ?? '').trim();

function findColumn(table: ZipTable, wanted: string): number {
  const named = (table.headings ?? []).findIndex(
    (heading, i) => i !== table.column && normalizeName(heading) === normalizeName(wanted),
  );
  if (named >= 0) return named;
  throw badRequest(
    table.headings === null
      ? 'column: the file has no headings. Add a first line with headings, or leave `column` out.'
      : `column: the file has no column "${wanted}". It has ${joinFirst(table.headings.map((heading) => `"${truncateInput(heading.trim())}"`))}.`,
  );
}

/** Number of lines that decide which columns are numeric */
const SAMPLE_LINES = 500;
/** Number of columns to examine. Further columns are ignored. */
const MAX_COLUMNS = 1_000;

/** Finds the column in which at least half of the cells with text are numbers. */
function amountColumn(table: ZipTable): number {
  const sample = table.rows.slice(0, SAMPLE_LINES);
  const columns = Math.min(MAX_COLUMNS, Math.max(...sample.map(({ cells }) => cells.length)));
  const numeric = Array.from({ length: columns }, (_, i) => i).filter(
    (i) => i !== table.column && isNumeric(sample, i),
  );
  if (numeric.length === 1) return numeric[0]!;
  if (numeric.length === 0) {
    throw badRequest('The file has no column of numbers next to the ZIP codes. Add one.');
  }
  const names = numeric.map((i) => `"${truncateInput(headingAt(table, i))}"`);
  throw badRequest(
    table.headings === null
      ? 'The file has several columns of numbers. Remove all but one, or add headings and name one in `column`.'
      : `The file has several columns of numbers: ${joinFirst(names)}. Name one in \`column\`.`,
  );
}

function isNumeric(rows: readonly Row[], column: number): boolean {
  const cells = rows.map(({ cells }) => (cells[column] ?? '').trim()).filter((cell) => cell !== '');
  return cells.length > 0 && 2 * cells.filter(isNumber).length >= cells.length;
}

/** Matches `12`, `-3.5`, `1,234.50`, `$1,200`, and `1.2E+05`. */
const NUMBER = /^[-+]?\$?\s?(\d+|\d{1,3}(,\d{3})+)?(\.\d+)?(e[-+]?\d+)?$/i;
const isNumber = (cell: string) => NUMBER.test(cell) && /\d/.test(cell);

function readAmount(given: string): Amount {
  const cell = given.trim();
  const no = (reason: string): Amount => ({ value: null, reason });
  if (cell === '') return no('The amount is missing.');
  if (!isNumber(cell)) return no(`“${truncateInput(cell)}” isn’t a number.`);
  const value = Number(cell.replaceAll(/[$,\s]/g, ''));
  if (!(Math.abs(value) <= MAX_AMOUNT)) return no('Amounts can’t exceed a trillion.');
  return value < 0 ? no('Amounts can’t be negative.') : { value: value || 0, reason: null };
}
