/**
 * A list of ZIPs as people have it: one to a line, all on one, or a column of a table. Pure. Which
 * column is found by its heading, or by what it holds.
 */
import { parse } from 'csv-parse/sync';
import { badRequest } from '../../errors.ts';
import { count } from '../../words.ts';
import { truncateInput, type Reading, type Readings } from './finding.ts';
import { readZip, type ReadZip } from './read-zip.ts';

/** More than there are ZIPs; each line costs more than its bytes, and so does each cell. */
export const MAX_LINES = 50_000;
const MAX_CELLS = 2_000_000;

/** @throws ServiceError 400 for a list that is empty or too long */
export function readZipList(text: string): Readings {
  const rows = rowsOf(text);
  if (rows.length === 0) throw badRequest('There is nothing in it: at least one ZIP is needed.');
  const heading = headingOf(rows[0]!);
  if (heading !== null) {
    const name = rows[0]!.cells[heading]!.trim();
    return {
      place: 'line',
      told: `Read from the column “${truncateInput(name)}”.`,
      readings: rows.slice(1).map((row) => cellReading(row, heading)),
    };
  }
  const column = isPlainList(rows) ? null : fullestColumn(rows);
  if (column !== null) {
    const [first] = rows;
    const isHeading = readZip(first!.cells[column] ?? '').zip === null;
    return {
      place: 'line',
      told:
        `Read from column ${column + 1}, which holds the most ZIPs` +
        (isHeading ? '; the first line was taken for headings.' : '.'),
      readings: rows.slice(isHeading ? 1 : 0).map((row) => cellReading(row, column)),
    };
  }
  const readings: Reading[] = [];
  for (const row of rows) {
    readings.push(...plainReadings(row));
    refuseMore(readings.length);
  }
  return { place: 'line', told: 'Read as a plain list.', readings };
}

function refuseMore(entries: number): void {
  if (entries <= MAX_LINES) return;
  throw badRequest(
    `The list has more than ${count(MAX_LINES)} entries, the most that are read at a time. Split it up.`,
  );
}

interface Row {
  /** Where it begins, from 1 */
  line: number;
  cells: string[];
}

function rowsOf(text: string): Row[] {
  const unified = text.replace(/^\u{FEFF}/u, '').replaceAll(/\r\n?/g, '\n');
  const lines = unified.split('\n');
  if (lines.length > MAX_LINES + 1) {
    throw badRequest(
      `The list has ${count(lines.length)} lines: at most ${count(MAX_LINES)} are read at a time. Split it up.`,
    );
  }
  const delimiter = delimiterOf(lines);
  if (occurrences(unified, delimiter) > MAX_CELLS) {
    throw badRequest(
      `The table has more than ${count(MAX_CELLS)} cells: leave out the columns without ZIPs.`,
    );
  }
  return (
    quotedRows(unified, delimiter) ?? lines.map((line, i) => split(line, i, delimiter))
  ).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

/** What is longer is a quote that was never closed. */
const MAX_ROW_BYTES = 100_000;

/** RFC 4180, where a cell in quotes may go over several lines. Null where there are none that match. */
function quotedRows(text: string, delimiter: string): Row[] | null {
  // The parser takes ten times as long as what does without.
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
    // The parser tells where a record ends.
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
/** They tell enough of the others. */
const SAMPLE_LINES = 500;
const SAMPLE_WIDTH = 2_000;

/** The one that is on the most lines, the same number of times; of several, the first. */
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

/** As headings are compared: letters and digits alone. The first is preferred. */
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

/** No table has more columns: what does is read as a list. */
const MOST_COLUMNS = 1_000;

function headingOf({ cells }: Row): number | null {
  if (cells.length > MOST_COLUMNS) return null;
  const names = cells.map(normalizeName);
  const known = HEADINGS.find((heading) => names.includes(heading));
  if (known !== undefined) return names.indexOf(known);
  // `Customer ZIP`, `ZIP (5 digits)`
  const similar = names.findIndex((name) => /zip|postal|postcode/.test(name));
  return similar < 0 ? null : similar;
}

const isZipLike = (cell: string) => /^\d/.test(cell.trim()) && readZip(cell).zip !== null;

/** Most of what it holds are ZIPs, wherever they stand. */
function isPlainList(rows: readonly Row[]): boolean {
  const words = rows
    .slice(0, SAMPLE_LINES)
    .flatMap(({ cells }) => wordsOf(cells.join(' ').slice(0, SAMPLE_WIDTH)));
  return 2 * words.filter(isZipLike).length > words.length;
}

const wordsOf = (cell: string) => cell.split(/\s+/).filter((word) => word !== '');

/** That in which the most lines have a ZIP, at least half of them; null: there is none. */
function fullestColumn(rows: readonly Row[]): number | null {
  const counts: number[] = [];
  const sample = rows.slice(0, SAMPLE_LINES);
  if (sample.some(({ cells }) => cells.length > MOST_COLUMNS)) return null;
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

function cellReading({ line, cells }: Row, column: number): Reading {
  const cell = cells[column] ?? '';
  if (cell.trim() !== '') return reading(line, cell, readZip(cell));
  const rest = cells.filter((one) => one.trim() !== '').join(', ');
  const reason = 'The column of ZIPs is empty in this line.';
  return reading(line, rest, { outcome: 'not_understood', zip: null, reason });
}

/** A cell may hold several, apart by spaces, or one with its state before it. */
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
