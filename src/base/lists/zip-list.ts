/**
 * Reads a list of ZIP codes: one per line, all on one line, or a column of a table. Each piece of the input is read,
 * guessed, or reported. Pure.
 */
import { badRequest } from '../../errors.ts';
import { formatCount, truncateInput } from '../text/words.ts';
import type { Reading, Readings } from './finding.ts';
import { isAddress, readZips, type ReadZip } from './read-zip.ts';
import { cellText, MAX_LINES, rowsOf, type Row } from '../files/rows.ts';
import { columnName, findZipTable, isPlainList, leftOut, type ZipTable } from './zip-table.ts';

/** Reads a text with a list or a table. @throws ServiceError as `readZipRows` */
export const readZipList = (text: string, wanted?: string): Readings =>
  readZipRows(rowsOf(text), wanted);

/**
 * Reads a list or a table.
 * @param wanted heading or number of the column with ZIP codes
 * @throws ServiceError 400 for a list that is empty or too long, or without the wanted column
 */
export function readZipRows(rows: readonly Row[], wanted?: string): Readings {
  if (rows.length === 0) throw badRequest('The list is empty. Give at least one ZIP code.');
  const table = findZipTable(rows, wanted);
  if (table !== null && !isPlainList(table)) return readTable(table);
  if (wanted !== undefined)
    throw badRequest('The file is a plain list, without columns to choose from.');
  const lostZeros = hasLostZeros(rows.flatMap(({ cells }) => cells));
  const readings: Reading[] = [];
  for (const row of rows) {
    for (const one of plainReadings(row, lostZeros)) {
      readings.push(table?.isUnsure ? asGuess(one) : one);
    }
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
    ...readColumn(table).map((one) => (isGuess ? asGuess(one) : one)),
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

const asGuess = (one: Reading): Reading =>
  one.outcome === 'new'
    ? { ...one, outcome: 'guessed', reason: 'Several columns contain numbers with five digits.' }
    : one;

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

function readColumn({ rows, column }: ZipTable): Reading[] {
  const lostZeros = hasLostZeros(rows.map((row) => cellText(row, column)));
  return rows.flatMap((row): Reading[] => {
    const { line, cells } = row;
    const cell = cellText(row, column);
    return cell === ''
      ? [unread(line, cells, 'The ZIP code column is empty in this line.')]
      : readZips(cell, { lostZeros }).map((zip) => reading(line, cell, zip));
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

const unread = (line: number, cells: readonly string[], reason: string): Reading =>
  reading(line, cells.filter((one) => one.trim() !== '').join(', '), {
    outcome: 'not_understood',
    zip: null,
    reason,
  });

const reading = (at: number, given: string, zip: ReadZip): Reading => ({
  at,
  given: truncateInput(given.trim()),
  ...zip,
});
