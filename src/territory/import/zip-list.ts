/**
 * Reads a list of ZIP codes: one per line, all on one line, or a column of a table. The column is
 * found by its heading or its content. Pure.
 */
import { parse } from 'csv-parse/sync';
import { badRequest } from '../../errors.ts';
import { formatCount } from '../../text/words.ts';
import { truncateInput, type Reading, type Readings } from './finding.ts';
import { readZip, type ReadZip } from './read-zip.ts';

/** More than the number of ZIP codes in the country. Many short lines or cells take long to parse. */
export const MAX_LINES = 50_000;
const MAX_CELLS = 2_000_000;

/** @throws ServiceError 400 for a list that is empty or too long */
export function readZipList(text: string): Readings {
  const rows = rowsOf(text);
  if (rows.length === 0) throw badRequest('The list is empty. Give at least one ZIP code.');
  const heading = headingOf(rows[0]!);
  const table = heading !== null || !isPlainList(rows) ? zipColumnOf(rows) : null;
  if (table !== null) {
    const { column, headings } = table;
    return {
      place: 'line',
      summary:
        heading !== null
          ? `Read from the column “${truncateInput(headings![column]!.trim())}”.`
          : `Read from column ${column + 1}, which contains the most ZIP codes` +
            (headings === null ? '.' : '; the first line was read as headings.'),
      readings: table.rows.map((row) => cellReading(row, column)),
    };
  }
  const readings: Reading[] = [];
  for (const row of rows) {
    readings.push(...plainReadings(row));
    refuseMore(readings.length);
  }
  return { place: 'line', summary: 'Read as a plain list.', readings };
}

export interface ZipTable {
  /** Index of the column with ZIP codes */
  column: number;
  /** Cells of the first line, or null if it's a row like the others */
  headings: readonly string[] | null;
  /** Rows without the headings */
  rows: readonly Row[];
}

/** Finds the column with ZIP codes by its heading or its content. @returns null if no column has them */
export function zipColumnOf(rows: readonly Row[]): ZipTable | null {
  const [first] = rows;
  if (!first) return null;
  const named = headingOf(first);
  const column = named ?? fullestColumn(rows);
  if (column === null) return null;
  const hasHeadings = named !== null || readZip(first.cells[column] ?? '').zip === null;
  return {
    column,
    headings: hasHeadings ? first.cells : null,
    rows: hasHeadings ? rows.slice(1) : rows,
  };
}

function refuseMore(entries: number): void {
  if (entries <= MAX_LINES) return;
  throw badRequest(
    `The list has more than ${formatCount(MAX_LINES)} entries, the maximum for one import. Split it up.`,
  );
}

/** A line of a table, or several lines if a quoted cell spans them */
export interface Row {
  /** Number of the first line, counted from 1 */
  line: number;
  cells: string[];
}

/** Returns the rows that aren't empty. @throws ServiceError 400 for a text that is too long */
export function rowsOf(text: string): Row[] {
  const unified = text.replace(/^\u{FEFF}/u, '').replaceAll(/\r\n?/g, '\n');
  const lines = unified.split('\n');
  if (lines.length > MAX_LINES + 1) {
    throw badRequest(
      `The list has ${formatCount(lines.length)} lines; the maximum for one import is ${formatCount(MAX_LINES)}. Split it up.`,
    );
  }
  const delimiter = delimiterOf(lines);
  if (occurrences(unified, delimiter) > MAX_CELLS) {
    throw badRequest(
      `The table has more than ${formatCount(MAX_CELLS)} cells. Remove the columns without ZIP codes.`,
    );
  }
  return (
    quotedRows(unified, delimiter) ?? lines.map((line, i) => split(line, i, delimiter))
  ).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

/** In a longer row, a quote was never closed. */
const MAX_ROW_BYTES = 100_000;

/**
 * Parses RFC 4180, where quoted cells may span lines. Returns null if there are no quotes or they
 * don't match.
 */
function quotedRows(text: string, delimiter: string): Row[] | null {
  // The CSV parser takes ten times as long as splitting lines.
  if (!text.includes('"')) return null;
  try {
    const records = parse(text, {
      delimiter,
      relax_column_count: true,
      info: true,
      max_record_size: MAX_ROW_BYTES,
    }) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
    // The parser reports the line where a record ends.
    return records.map(({ record }, i) => ({
      line: (records[i - 1]?.info.lines ?? 0) + 1,
      cells: record,
    }));
  } catch {
    return null;
  }
}

function occurrences(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found++;
  return found;
}

const split = (line: string, i: number, delimiter: string): Row => ({
  line: i + 1,
  cells: line.split(delimiter),
});

const DELIMITERS = ['\t', ';', ',', '|'] as const;
/** Size of the sample that decides the delimiter and the column */
const SAMPLE_LINES = 500;
const SAMPLE_WIDTH = 2_000;

/**
 * Returns the delimiter that occurs the same number of times on the most lines. Ties go to the first.
 */
function delimiterOf(lines: readonly string[]): string {
  const sample = lines.filter((line) => line.trim() !== '').slice(0, SAMPLE_LINES);
  const evenness = (delimiter: string) => {
    const counts = new Map<number, number>();
    for (const line of sample) {
      const n = occurrences(line.slice(0, SAMPLE_WIDTH), delimiter);
      if (n > 0) counts.set(n, (counts.get(n) ?? 0) + 1);
    }
    return Math.max(0, ...counts.values());
  };
  return DELIMITERS.reduce(
    (best, delimiter) => (evenness(delimiter) > evenness(best) ? delimiter : best),
    DELIMITERS[0],
  );
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

/** Longer rows are read as a list. */
const MAX_COLUMNS = 1_000;

function headingOf({ cells }: Row): number | null {
  if (cells.length > MAX_COLUMNS) return null;
  const names = cells.map(normalizeName);
  const known = HEADINGS.find((heading) => names.includes(heading));
  if (known !== undefined) return names.indexOf(known);
  // `Customer ZIP`, `ZIP (5 digits)`
  const similar = names.findIndex((name) => /zip|postal|postcode/.test(name));
  return similar < 0 ? null : similar;
}

const isZipLike = (cell: string) => /^\d/.test(cell.trim()) && readZip(cell).zip !== null;

/** Returns whether most words in the list are ZIP codes, in any position. */
function isPlainList(rows: readonly Row[]): boolean {
  const words = rows
    .slice(0, SAMPLE_LINES)
    .flatMap(({ cells }) => wordsOf(cells.join(' ').slice(0, SAMPLE_WIDTH)));
  return 2 * words.filter(isZipLike).length > words.length;
}

const wordsOf = (cell: string) => cell.split(/\s+/).filter((word) => word !== '');

/**
 * Returns the column with a ZIP code on the most lines, or null if it has one on fewer than half of them.
 */
function fullestColumn(rows: readonly Row[]): number | null {
  const counts: number[] = [];
  const sample = rows.slice(0, SAMPLE_LINES);
  if (sample.some(({ cells }) => cells.length > MAX_COLUMNS)) return null;
  for (const { cells } of sample) {
    for (const [i, cell] of cells.entries()) {
      counts[i] = (counts[i] ?? 0) + (readZip(cell).outcome === 'new' ? 1 : 0);
    }
  }
  const most = counts.reduce((a, b) => Math.max(a, b), 0);
  return counts.length > 1 && 2 * most >= sample.length - 1 && most > 0
    ? counts.indexOf(most)
    : null;
}

export function cellReading({ line, cells }: Row, column: number): Reading {
  const cell = cells[column] ?? '';
  if (cell.trim() !== '') return reading(line, cell, readZip(cell));
  const rest = cells.filter((one) => one.trim() !== '').join(', ');
  const reason = 'The ZIP code column is empty in this line.';
  return reading(line, rest, { outcome: 'not_understood', zip: null, reason });
}

/** Reads a row of a plain list. A cell can contain several ZIP codes separated by spaces, or one after its state. */
function plainReadings({ line, cells }: Row): Reading[] {
  return cells.flatMap((cell) => {
    if (cell.trim() === '') return [];
    const words = wordsOf(cell);
    refuseMore(words.length);
    const whole = readZip(cell);
    const each = words.length > 1 && words.every(isZipLike) ? words : null;
    return each && whole.zip === null
      ? each.map((word) => reading(line, word, readZip(word)))
      : [reading(line, cell, whole)];
  });
}

const reading = (at: number, given: string, zip: ReadZip): Reading => ({
  at,
  given: truncateInput(given.trim()),
  ...zip,
});
