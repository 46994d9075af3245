/** Reads a file with a measure: a table with a column of ZIP codes and a column of amounts. Pure. */
import { badRequest } from '../errors.ts';
import { truncateInput } from '../territory/import/finding.ts';
import { rowsOf, SAMPLE_LINES, type Row } from '../territory/import/rows.ts';
import { oneZipPerRow } from '../territory/import/zip-list.ts';
import {
  columnName,
  findZipTable,
  leftOut,
  normalizeName,
  type ZipTable,
} from '../territory/import/zip-table.ts';
import { joinFirst } from '../text/words.ts';

export interface MeasureFile {
  /** Heading of the amounts; null without headings */
  heading: string | null;
  /** A sentence that names the columns read */
  summary: string;
  rows: MeasureRow[];
}

export interface MeasureRow {
  zip: ReturnType<typeof oneZipPerRow>[number];
  amount: Amount;
}

export type Amount = { value: number; reason: null } | { value: null; reason: string };

/** Largest amount. Sums of larger amounts would lose digits. */
const MAX_AMOUNT = 1e12;

/** Headings of the columns, if several have numbers, or ZIP codes */
export interface MeasureColumns {
  amount?: string | undefined;
  /** Also its number, counted from 1 */
  zip?: string | undefined;
}

/**
 * Reads a file.
 * @throws ServiceError 400 for a file that is empty, too long, or lacks these columns
 */
export function readMeasureFile(text: string, wanted: MeasureColumns = {}): MeasureFile {
  const table = findZipTable(rowsOf(text), wanted.zip);
  if (table === null || table.rows.length === 0) {
    throw badRequest(
      'The file has no column of ZIP codes. Give a CSV table with the headings zip and, for example, jobs.',
    );
  }
  const column =
    wanted.amount === undefined ? amountColumn(table) : findColumn(table, wanted.amount);
  if (!table.isNamed && table.others.some((one) => one !== column)) throw severalZipColumns(table);
  const names = [table.column, column].map((at) => columnName(table, at));
  const others = table.others.filter((one) => one !== column);
  const zips = oneZipPerRow(table);
  return {
    heading: table.headings === null ? null : headingAt(table, column) || null,
    summary: [
      `Read from the columns ${names.map((name) => name.replace(/^column /, '')).join(' and ')}.`,
      leftOut({ ...table, others }),
      others.length > 0 ? 'To read another column, name it in `zipColumn`.' : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
    rows: table.rows.map((row, i) => ({
      zip: zips[i]!,
      amount: readAmount(row.cells[column] ?? ''),
    })),
  };
}

const headingAt = ({ headings }: ZipTable, column: number) => (headings?.[column] ?? '').trim();

const severalZipColumns = (table: ZipTable) =>
  badRequest(
    `The file has numbers with five digits in ${joinFirst([table.column, ...table.others].map((one) => columnName(table, one)))}. ` +
      'Name the column with the ZIP codes in `zipColumn`, or give it the heading zip.',
  );

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

/** Number of columns to examine. Further columns are ignored. */
const MAX_COLUMNS = 1_000;

/** Finds the column in which at least half of the cells with text are numbers. */
function amountColumn(table: ZipTable): number {
  const sample = table.rows.slice(0, SAMPLE_LINES);
  const columns = Math.min(MAX_COLUMNS, Math.max(...sample.map(({ cells }) => cells.length)));
  const withNumbers = Array.from({ length: columns }, (_, i) => i).filter(
    (i) => i !== table.column && isNumeric(sample, i),
  );
  const withoutZips = withNumbers.filter((i) => !table.others.includes(i));
  // Without headings, amounts with five digits look like ZIP codes.
  const numeric = withoutZips.length > 0 ? withoutZips : withNumbers;
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
