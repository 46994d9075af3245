/**
 * Reads a list of ZIP codes: one per line, all on one line, or a column of a table. Each piece of the input is read,
 * guessed, or reported. Pure.
 */
import { badRequest } from '../errors.ts';
import { formatCount } from '../text/words.ts';
import { truncateInput, type Reading, type Readings } from './finding.ts';
import type { PlainReading } from './ranges.ts';
import {
  isAddress,
  readZip,
  readZips,
  type Context,
  type ReadZip,
  type Unread,
} from './read-zip.ts';
import { MAX_LINES, rowsOf, type Row } from './rows.ts';
import { columnName, findZipTable, isPlainList, leftOut, type ZipTable } from './zip-table.ts';

/**
 * Reads a list or a table.
 * @param wanted heading or number of the column with ZIP codes
 * @throws ServiceError 400 for a list that is empty or too long, or without the wanted column
 */
export function readZipList(text: string, wanted?: string): Readings {
  const rows = rowsOf(text);
  if (rows.length === 0) throw badRequest('The list is empty. Give at least one ZIP code.');
  const table = findZipTable(rows, wanted);
  if (table !== null && !isPlainList(table)) return readTable(table);
  if (wanted !== undefined)
    throw badRequest('The file is a plain list, without columns to choose from.');
  const lostZeros = hasLostZeros(rows.flatMap(({ cells }) => cells));
  const readings: Reading[] = [];
  for (const row of rows) {
    for (const one of plainReadings(row, lostZeros)) readings.push(one);
    refuseMore(readings.length);
  }
  return { place: 'line', summary: 'Read as a plain list.', readings };
}

function readTable(table: ZipTable): Readings {
  const { column, others, isNamed, headings, preamble } = table;
  const name = columnName(table, column);
  const how = isNamed
    ? `Read from ${name === `column ${column + 1}` ? name : `the column ${name}`}.`
    : `Read from column ${column + 1}, which contains the most ZIP codes` +
      (headings === null ? '.' : '; the line above them was read as headings.');
  // Any number with five digits looks like a ZIP code, so content doesn't tell which of several columns is meant.
  const isGuess = !isNamed && others.length > 0;
  const skipped = preamble.filter(({ cells }) => cells.some((cell) => /\d{5}/.test(cell)));
  const readings: Reading[] = [
    ...skipped.map(({ line, cells }) => unread(line, cells, 'This line is above the headings.')),
    ...readColumn(table, readZips).map((one): Reading =>
      isGuess && one.outcome === 'new'
        ? {
            ...one,
            outcome: 'guessed',
            reason: 'Several columns contain numbers with five digits.',
          }
        : one,
    ),
  ];
  refuseMore(readings.length);
  return {
    place: 'line',
    summary: [how, leftOut(table)].filter((part) => part !== '').join(' '),
    ...(others.length > 0 && {
      columns: [column, ...others].map((one) => ({
        number: one + 1,
        name: columnName(table, one),
      })),
    }),
    readings,
  };
}

/** Characters of a ZIP code with four more digits. Counting the entries of a longer text would take long. */
const ENTRY_LENGTH = 10;

function refuseMore(entries: number): void {
  if (entries <= MAX_LINES) return;
  throw badRequest(
    `The list has more than ${formatCount(MAX_LINES)} entries, the maximum for one import. Split it up.`,
  );
}

/** Spreadsheets turn 02134 into 2134, and 00501 into 501. */
const hasLostZeros = (cells: readonly string[]) => cells.some((cell) => /^\s*\d{4}\s*$/.test(cell));

/** Reads the column of a table whose rows have one ZIP code each. @returns a reading for each row */
export const oneZipPerRow = (table: ZipTable): PlainReading[] =>
  readColumn(table, (cell, context) => [readZip(cell, context)]);

function readColumn<Zip extends ReadZip>(
  { rows, column }: ZipTable,
  read: (cell: string, context: Context) => readonly Zip[],
): (Located<Zip> | Located<Unread>)[] {
  const lostZeros = hasLostZeros(rows.map(({ cells }) => cells[column] ?? ''));
  return rows.flatMap(({ line, cells }): (Located<Zip> | Located<Unread>)[] => {
    const cell = cells[column] ?? '';
    return cell.trim() === ''
      ? [unread(line, cells, 'The ZIP code column is empty in this line.')]
      : read(cell, { lostZeros }).map((zip) => reading(line, cell, zip));
  });
}

/** Reads a row of a plain list: a cell or an address, with one or more ZIP codes in each. */
function plainReadings({ line, cells }: Row, lostZeros: boolean): Reading[] {
  const whole = cells.join(', ');
  const entries = isAddress(whole) ? [whole] : cells;
  return entries.flatMap((entry) => {
    if (!/[\p{L}\p{N}]/u.test(entry)) return [];
    refuseMore(entry.length / ENTRY_LENGTH);
    const zips = readZips(entry, { lostZeros });
    return zips.map((zip) =>
      reading(line, zip.outcome === 'new' && zips.length > 1 ? zip.zip : entry, zip),
    );
  });
}

type Located<Zip> = { at: number; given: string } & Zip;

const unread = (line: number, cells: readonly string[], reason: string): Located<Unread> =>
  reading(line, cells.filter((one) => one.trim() !== '').join(', '), {
    ...{ outcome: 'not_understood', zip: null, reason },
  });

const reading = <Zip extends ReadZip>(at: number, given: string, zip: Zip): Located<Zip> => ({
  at,
  given: truncateInput(given.trim()),
  ...zip,
});
