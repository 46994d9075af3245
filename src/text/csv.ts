/** CSV (RFC 4180) that is safe to open in a spreadsheet. */
import { stringify, type Options } from 'csv-stringify/sync';

export type CsvValue = string | number | null;

const OPTIONS: Options = {
  record_delimiter: 'windows',
  escape_formulas: true,
  // The library escapes all formula characters except a leading line feed (OWASP, CSV Injection).
  cast: { string: (text) => (text.startsWith('\n') ? `'${text}` : text) },
  // The library quotes CR LF, but not CR or LF alone.
  quoted_match: /[\r\n]/,
};

/** A header line, then one line per row. Null becomes an empty cell. */
export const csvText = <Column extends string>(
  columns: readonly Column[],
  rows: readonly Record<Column, CsvValue>[],
): string => csvLines([columns, ...rows.map((row) => columns.map((column) => row[column]))]);

/** One line per row. Null becomes an empty cell. */
export const csvLines = (rows: readonly (readonly CsvValue[])[]): string =>
  stringify(rows as CsvValue[][], OPTIONS);
