/**
 * Reads one ACS file: JSON from the Census API (an array of rows, with names in the first one) or
 * table-based text (delimited by `,` or `|`).
 */
import { CsvError, parse } from 'csv-parse';
import { ImportError } from '../errors.ts';
import {
  ACS_TABLES,
  isSentinel,
  parseVariable,
  variableName,
  whyImpossible,
  type Variable,
} from './acs-tables.ts';
import { openInput, refuseOtherFormats, type InputFile } from './input-file.ts';
import type { Findings } from './report.ts';

export interface AcsFile {
  /** Last of the five years */
  year: number;
  tables: string[];
  /** Values by ZIP code and column name in the API's spelling (`B19013_001E`) */
  rows: Map<string, Map<string, AcsValue>>;
}

/** A number, `suppressed` for a sentinel, or an annotation's text. */
export type AcsValue = number | 'suppressed' | { annotation: string };

/**
 * @param year default: from the file name (`acs5_2021_…`, `ACSDT5Y2021.B19013-Data.csv`)
 * @throws ImportError that explains what is wrong with the file
 */
export async function readAcsFile(
  file: string,
  findings: Findings,
  year?: number,
): Promise<AcsFile> {
  const input = await openInput(file);
  const { name, handle } = input;
  try {
    refuseOtherFormats(input, ACS_FORMATS);
    const rows = name.toLowerCase().endsWith('.json')
      ? jsonRows(name, await handle.readFile('utf8'))
      : delimitedRows(input);
    return await readAcsRows(name, rows, findings, year ?? yearOf(name));
  } finally {
    await handle.close();
  }
}

const ACS_FORMATS =
  'Expected a table of the Census Bureau as JSON or CSV. If it came in an archive, extract it and ' +
  'name the file ending in -Data.csv.';

/** Rows as the Census API sends them: names first, then values, each a string or null. */
export type AcsRows = Iterable<unknown[]> | AsyncIterable<unknown[]>;

export async function readAcsRows(
  name: string,
  source: AcsRows,
  findings: Findings,
  year: number,
): Promise<AcsFile> {
  let columns: Columns | undefined;
  const rows: AcsFile['rows'] = new Map();
  let line = 0;
  for await (const row of source) {
    line++;
    if (!columns) {
      columns = readHeader(name, row);
      continue;
    }
    // Files from data.census.gov have a row of labels below the column names.
    if (line === 2 && /geograph/i.test(String(row[columns.geo]))) continue;
    findings.rowsRead++;
    const label = `${name}, row ${line}`;
    const zip = zipOf(row[columns.geo]);
    if (zip === null) {
      findings.reject(zipReason(row[columns.geo]), `${label}: "${String(row[columns.geo])}"`);
    } else if (rows.has(zip)) {
      findings.reject('duplicate ZIP code; the first row was kept', label);
    } else {
      rows.set(zip, readValues(row, columns, findings, label));
    }
  }
  if (!columns) throw new ImportError(`${name} is empty.`);
  if (rows.size === 0) {
    const [first] = findings.rejected;
    throw new ImportError(
      `${name} contains no usable ZIP codes` + (first ? ` (${first.reason}).` : '.'),
    );
  }
  return { year, tables: [...new Set(columns.variables.map((v) => v.table))].sort(), rows };
}

interface Columns {
  geo: number;
  variables: (Variable & { at: number; name: string })[];
}

const GEO_COLUMNS = ['zip code tabulation area', 'geo_id', 'geoid', 'zcta5', 'zcta', 'zip', 'name'];

function readHeader(name: string, header: unknown[]): Columns {
  const names = header.map((h) => String(h).trim());
  const geo = GEO_COLUMNS.map((wanted) => names.findIndex((n) => n.toLowerCase() === wanted)).find(
    (at) => at >= 0,
  );
  const variables = names.flatMap((column, at) => {
    const v = parseVariable(column);
    return v ? [{ ...v, at, name: variableName(v.table, v.line, v.kind) }] : [];
  });
  const present = `It has: ${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}.`;
  if (geo === undefined) {
    throw new ImportError(
      `${name} has no ZIP code column. Expected "zip code tabulation area" or GEO_ID. ${present}`,
    );
  }
  if (!variables.some((v) => v.kind === 'E')) {
    throw new ImportError(
      `${name} contains none of the required ACS tables (${Object.keys(ACS_TABLES).join(', ')}). ` +
        `Expected columns such as B19013_001E. ${present}`,
    );
  }
  return { geo, variables };
}

/** Reads `75201`, `860Z200US75201`, `8600000US75201`, or `ZCTA5 75201`. */
function zipOf(value: unknown): string | null {
  const text = String(value ?? '').trim();
  return /^(?:860\w*US|ZCTA5? )?(\d{5})$/.exec(text)?.[1] ?? null;
}

function zipReason(value: unknown): string {
  const text = String(value ?? '').trim();
  if (/^\d{3,4}$/.test(text)) {
    return 'the ZIP code doesn’t have five digits (was a leading zero lost?)';
  }
  return 'the row isn’t about a ZIP code';
}

/** data.census.gov groups digits: `95,907` */
const THOUSANDS = /^-?\d{1,3}(,\d{3})+$/;

function readValues(
  row: unknown[],
  { variables }: Columns,
  findings: Findings,
  label: string,
): Map<string, AcsValue> {
  const values = new Map<string, AcsValue>();
  for (const variable of variables) {
    const { at, name, kind } = variable;
    const text = String(row[at] ?? '').trim();
    if (text === '') continue;
    if (kind === 'EA') {
      values.set(name, { annotation: text });
      continue;
    }
    const value = Number(THOUSANDS.test(text) ? text.replaceAll(',', '') : text);
    const problem = whyImpossible(variable, value);
    // data.census.gov uses "-", "**", "(X)", and the like instead of sentinels.
    if (/^(-|\*+|\(X\)|N|null)$/i.test(text) || isSentinel(value)) values.set(name, 'suppressed');
    else if (/^[\d,]+\+$/.test(text)) values.set(name, Number(text.replace(/[,+]/g, '')) + 1);
    else if (problem === null) values.set(name, value);
    else findings.reject(problem, `${label}, ${name}: "${text}"`);
  }
  return values;
}

function jsonRows(name: string, text: string): unknown[][] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new ImportError(
      `${name} can’t be read: the JSON is damaged or incomplete. Download it again.`,
      { cause },
    );
  }
  return asRows(name, parsed);
}

/** @throws ImportError unless it is an array of arrays, as the Census API sends it */
export function asRows(name: string, parsed: unknown): unknown[][] {
  if (Array.isArray(parsed) && parsed.every((row) => Array.isArray(row))) return parsed;
  throw new ImportError(
    `${name} doesn’t have the Census API’s format: an array of rows, with column names in the first one.`,
  );
}

async function* delimitedRows({ name, handle, head }: InputFile): AsyncIterable<unknown[]> {
  refuseOtherDelimiters(name, head);
  const parser = handle
    .createReadStream({ start: 0, autoClose: false })
    .pipe(parse({ bom: true, delimiter: [',', '|'], relax_column_count: false, trim: true }));
  try {
    yield* parser;
  } catch (cause) {
    throw new ImportError(`${name} can’t be read: ${csvProblem(cause)}`, { cause });
  }
}

/**
 * Refuses semicolons: spreadsheets use them in countries with decimal commas. Numbers in such files can't
 * be trusted, because 12.000 may mean twelve thousand.
 */
function refuseOtherDelimiters(name: string, head: Buffer): void {
  const [header = ''] = head.toString('utf8').split(/\r?\n/, 1);
  if (/[,|]/.test(header)) return;
  const separator = header.includes(';') ? 'semicolons' : header.includes('\t') ? 'tabs' : null;
  if (separator === null) return;
  throw new ImportError(
    `${name} separates its columns by ${separator}. They must be separated by commas or |. Use the ` +
      'file as downloaded from the Census Bureau, without saving it in a spreadsheet.',
  );
}

function csvProblem(cause: unknown): string {
  if (!(cause instanceof CsvError)) return 'reading it failed. Copy it to this machine’s disk.';
  const { lines } = cause as CsvError & { lines?: number };
  const where = lines === undefined ? '' : ` near line ${lines}`;
  return (
    CSV_PROBLEMS.find(([code]) => code.test(cause.code))?.[1](where) ??
    `it isn’t valid CSV${where}. Download it again.`
  );
}

const CSV_PROBLEMS: [RegExp, (where: string) => string][] = [
  [
    /INCONSISTENT/,
    (where) => `a row${where} has more or fewer columns than the header. Download it again.`,
  ],
  [
    /QUOTE/,
    (where) => `a quotation mark${where} is never closed or in the wrong place. Download it again.`,
  ],
];

function yearOf(name: string): number {
  const year = /(?:acs_?(?:dt)?5y?r?_?|5y)(20\d\d)/i.exec(name)?.[1];
  if (year) return Number(year);
  throw new ImportError(
    `The name ${name} doesn’t contain the vintage. Give the last of the five years with --year, such as --year 2023.`,
  );
}
