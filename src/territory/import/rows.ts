/** Splits the text of a list or a table into rows and cells. Pure. */
import { parse } from 'csv-parse/sync';
import { badRequest } from '../../errors.ts';
import { formatCount } from '../../text/words.ts';

/** More than the number of ZIP codes in the country. Many short lines or cells take long to parse. */
export const MAX_LINES = 50_000;
const MAX_CELLS = 2_000_000;

/** A line of a table, or several lines if a quoted cell spans them */
export interface Row {
  /** Number of the first line, counted from 1 */
  line: number;
  cells: string[];
}

/** Returns the rows that aren't empty. @throws ServiceError 400 for a text that is too long */
export function rowsOf(text: string): Row[] {
  const joined = text.replace(/^\u{FEFF}/u, '').replaceAll(/\r\n?/g, '\n');
  const [hint, separator] = SEPARATOR_HINT.exec(joined) ?? [''];
  const unified = joined.slice(hint.length);
  const lines = unified.split('\n');
  if (lines.length > MAX_LINES + 1) {
    throw badRequest(
      `The list has ${formatCount(lines.length)} lines; the maximum for one import is ${formatCount(MAX_LINES)}. Split it up.`,
    );
  }
  const delimiter = separator ?? delimiterOf(lines);
  if (occurrences(unified, delimiter) > MAX_CELLS) {
    throw badRequest(
      `The table has more than ${formatCount(MAX_CELLS)} cells. Remove the columns without ZIP codes.`,
    );
  }
  return (
    quotedRows(unified, delimiter) ?? lines.map((line, i) => split(line, i, delimiter))
  ).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

/** The first line that tells Excel which separator follows, such as `sep=;`, without its line end */
const SEPARATOR_HINT = /^"?sep=(.)"?[;,\t| ]*(?=\n|$)/i;

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
