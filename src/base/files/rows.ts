/** The rows of lists and tables, and how texts are split into them. Pure. */
import { badRequest } from '../../errors.ts';
import { formatCount } from '../text/words.ts';

/** More than the number of ZIP codes in the country. Many short lines or cells take long to parse. */
export const MAX_LINES = 50_000;
const MAX_CELLS = 2_000_000;

/** A line of a table, or several lines if a quoted cell spans them */
export interface Row {
  /** Number of the first line, counted from 1 */
  line: number;
  cells: string[];
  /** Texts of merged cells that start in another cell, by column. Their own cells are empty. */
  covered?: ReadonlyMap<number, string>;
}

/** What a file says about its rows besides their cells */
export interface TableFacts {
  /** Whether the first row has headings for sure */
  isHeaded: boolean;
  /** Whether programs stored numbers as such, and not as texts */
  hasStoredNumbers: boolean;
  /** Whether semicolons are between its cells, as where commas are decimal marks */
  hasSemicolons: boolean;
}

/** A list or a table. Its facts and its note are complete once its rows were read. */
export interface Table extends TableFacts {
  format: 'csv' | 'xlsx';
  /** Name of the sheet that is read, and those of all sheets of a workbook */
  sheet?: string;
  sheets: readonly string[];
  /** Sentences on what is read, such as the sheet */
  note: string;
  rows: AsyncIterable<Row[]>;
}

/** Returns the text of a cell, or of the merged cell that covers it, without spaces around it. */
export const cellText = ({ cells, covered }: Row, column: number): string =>
  (cells[column] ?? '').trim() || (covered?.get(column) ?? '').trim();

/** Returns the rows of a list that aren't empty. @throws ServiceError 400 as `collectRows` */
export function rowsOf(text: string): Row[] {
  const splitter = new RowSplitter(text);
  const list = new RowList();
  list.add(splitter.push(text));
  list.add(splitter.end());
  return list.rows;
}

/** Returns all rows of a list. @throws ServiceError 400 for one that is too long */
export async function collectRows(batches: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const list = new RowList();
  for await (const rows of batches) list.add(rows);
  return list.rows;
}

class RowList {
  readonly rows: Row[] = [];
  #cells = 0;

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      // Headings may be above the longest list.
      if (this.rows.push(row) > MAX_LINES + 1) {
        throw badRequest(
          `The list has more than ${formatCount(MAX_LINES)} lines, the maximum for one import. Split it up.`,
        );
      }
      this.#cells += row.cells.length;
      if (this.#cells > MAX_CELLS) {
        throw badRequest(
          `The table has more than ${formatCount(MAX_CELLS)} cells. Remove the columns without ZIP codes.`,
        );
      }
    }
  }
}

/** The first line that tells Excel which separator follows, such as `sep=;`, without its line end */
const SEPARATOR_HINT = /^\u{FEFF}?"?sep=(.)"?[;,\t| ]*(?=[\r\n]|$)/iu;

/** In a longer row, a quote was never closed. */
const MAX_ROW_LENGTH = 100_000;

/** More than the entries of a list on one line, and of a file without line ends */
const MAX_LINE_LENGTH = 10_485_760;

/** Number of characters that decide the delimiter: far more than the lines of the sample have */
const SAMPLE_LENGTH = 500_000;

/** Splits a text that arrives in parts. The rows are the same however the text is divided. */
class RowSplitter {
  readonly delimiter: string;
  /** Text after the last complete row */
  #rest = '';
  /** Number of the line where `#rest` starts */
  #line = 1;
  #isStart = true;

  /** @param sample the start of the text, or all of it: it decides the delimiter */
  constructor(sample: string) {
    const start = sample.slice(0, SAMPLE_LENGTH);
    this.delimiter = SEPARATOR_HINT.exec(start)?.[1] ?? delimiterOf(start.split(/\r\n?|\n/));
  }

  /** Returns the rows that end in this part, without empty ones. */
  push(part: string): Row[] {
    return this.#split(this.#rest + part, false);
  }

  /** Returns the rest. */
  end(): Row[] {
    return this.#split(this.#rest, true);
  }

  #split(given: string, isEnd: boolean): Row[] {
    // The line feed of a carriage return may be in the next part.
    const held = !isEnd && given.endsWith('\r') ? '\r' : '';
    let text = held ? given.slice(0, -1) : given;
    if (text.includes('\r')) text = text.replaceAll(/\r\n?/g, '\n');
    const rows: Row[] = [];
    let at = 0;
    while (at < text.length) {
      const end = text.indexOf('\n', at);
      if (end < 0 && !isEnd) break;
      let line = text.slice(at, end < 0 ? text.length : end);
      let next = end < 0 ? text.length : end + 1;
      let lines = 1;
      if (this.#isStart) {
        this.#isStart = false;
        if (SEPARATOR_HINT.test(line)) line = '';
        else if (line.startsWith('\uFEFF')) {
          at++;
          line = line.slice(1);
        }
      }
      let cells: string[] | null = null;
      if (line.includes('"')) {
        const quoted = quotedRow(text, at, this.delimiter);
        const isCut = quoted === 'unclosed' || (quoted !== null && quoted.next > text.length);
        // The next part may close the quote, or double it.
        if (isCut && !isEnd && text.length - at < MAX_ROW_LENGTH) break;
        if (quoted !== 'unclosed' && quoted !== null) ({ cells, next, lines } = quoted);
      }
      cells ??= line.split(this.delimiter);
      if (cells.some((cell) => cell !== '' && cell.trim() !== '')) {
        rows.push({ line: this.#line, cells });
      }
      this.#line += lines;
      at = next;
    }
    this.#rest = text.slice(at) + held;
    if (this.#rest.length > MAX_LINE_LENGTH) {
      throw badRequest(
        `Line ${formatCount(this.#line)} is too long. Put each row on its own line.`,
      );
    }
    return rows;
  }
}

/**
 * Reads the rows of a CSV or TSV text as it arrives.
 * @param onDelimiter receives the delimiter before the first rows
 */
export async function* textRows(
  texts: AsyncIterable<string>,
  onDelimiter: (delimiter: string) => void = () => {},
): AsyncGenerator<Row[]> {
  let sample = '';
  let splitter: RowSplitter | null = null;
  const start = () => {
    splitter = new RowSplitter(sample);
    onDelimiter(splitter.delimiter);
    return splitter;
  };
  for await (const text of texts) {
    if (splitter !== null) yield (splitter as RowSplitter).push(text);
    else if ((sample += text).length >= SAMPLE_LENGTH) yield start().push(sample);
  }
  if (splitter === null) yield start().push(sample);
  yield splitter!.end();
}

/** The end of a cell without quotes */
const cellEnd = (text: string, delimiter: string, from: number, lineEnd: number) => {
  const end = text.indexOf(delimiter, from);
  return end < 0 || end > lineEnd ? lineEnd : end;
};

/**
 * Reads a row of RFC 4180, where quoted cells may span lines. A quote within a cell without quotes is a character, such
 * as in `5" pipe`.
 * @returns null if characters follow a closing quote; `unclosed` if no quote closes a cell
 */
function quotedRow(
  text: string,
  start: number,
  delimiter: string,
): { cells: string[]; next: number; lines: number } | 'unclosed' | null {
  const cells: string[] = [];
  const limit = Math.min(text.length, start + MAX_ROW_LENGTH);
  let at = start;
  let lines = 1;
  let lineEnd = endOfLine(text, at);
  for (;;) {
    let open = at;
    while (text[open] === ' ') open++;
    let end: number;
    if (text[open] === '"') {
      let close = open;
      do {
        close = text.indexOf('"', close + 1);
        if (close < 0 || close >= limit) return 'unclosed';
      } while (text[close + 1] === '"' && ++close);
      const cell = text.slice(open + 1, close);
      cells.push(cell.includes('"') ? cell.replaceAll('""', '"') : cell);
      if (close > lineEnd) {
        lines += occurrences(cell, '\n');
        lineEnd = endOfLine(text, close);
      }
      end = close + 1;
      while (text[end] === ' ') end++;
      if (end < lineEnd && text[end] !== delimiter) return null;
    } else {
      end = cellEnd(text, delimiter, at, lineEnd);
      cells.push(text.slice(at, end));
    }
    if (lineEnd >= start + MAX_ROW_LENGTH) return 'unclosed';
    if (end >= lineEnd) return { cells, next: lineEnd + 1, lines };
    at = end + 1;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function occurrences(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found++;
  return found;
}

const DELIMITERS = ['\t', ';', ',', '|'] as const;
/** Size of the sample that decides the delimiter and the columns */
export const SAMPLE_LINES = 500;
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
