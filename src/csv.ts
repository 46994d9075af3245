/** Comma-separated values (RFC 4180) that are safe to open in a spreadsheet. */

export type CsvValue = string | number | null;

/** A header line, then a line for each row; every line ends with CR LF, and null is nothing. */
export function csvText<Column extends string>(
  columns: readonly Column[],
  rows: readonly Record<Column, CsvValue>[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map(csvLine).join('');
}

export const csvLine = (values: readonly CsvValue[]): string => `${values.map(cell).join(',')}\r\n`;

/**
 * What a spreadsheet would take for a formula (OWASP, CSV Injection), full-width forms included.
 * An apostrophe before it makes it the text that it is.
 */
const FORMULA_START = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

function cell(value: CsvValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = FORMULA_START.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
