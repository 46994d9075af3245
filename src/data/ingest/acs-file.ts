/**
 * Reads one ACS file: JSON from the Census API (an array of rows, with names in the first one) or
 * table-based text (delimited by `,` or `|`), or a table of R's tidycensus with one variable per row.
 */
import { ImportError, ServiceError } from '../../errors.ts';
import { decodeStream, decodeText } from '../../base/files/decode.ts';
import { textRows } from '../../base/files/rows.ts';
import {
  findColumn,
  GEOGRAPHY_COLUMNS,
  parseZip,
  ZIP_COLUMNS,
  zipProblem,
} from '../../base/geodata/zip-code.ts';
import {
  ACS_TABLES,
  isControlled,
  isSentinel,
  parseVariable,
  readScaleEnd,
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
      ? jsonRows(name, await decodeText(await handle.readFile()))
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
type AcsRows = Iterable<unknown[]> | AsyncIterable<unknown[]>;

export async function readAcsRows(
  name: string,
  source: AcsRows,
  findings: Findings,
  year: number,
): Promise<AcsFile> {
  let columns: Columns | undefined;
  const rows: AcsFile['rows'] = new Map();
  const tables = new Set<string>();
  const seen = new Set<string>();
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
    const zip = parseZip(row[columns.geo]);
    const cells = columns.cellsOf(row);
    const content = [zip, ...cells.map(nameOf)].join();
    if (zip === null) {
      findings.reject(rowProblem(row[columns.geo]), `${label}: "${String(row[columns.geo])}"`);
    } else if (cells.length === 0) {
      findings.reject('the variable isn’t in a required table', label);
    } else if (seen.has(content)) {
      findings.reject('duplicate ZIP code; the first row was kept', label);
    } else {
      const values = rows.get(zip) ?? new Map<string, AcsValue>();
      for (const cell of cells) {
        tables.add(cell.table);
        readValue(cell, year, values, (problem) =>
          findings.skipValue(problem, `${label}, ${nameOf(cell)}: "${cell.text}"`),
        );
      }
      rows.set(zip, values);
    }
    seen.add(content);
  }
  if (!columns) throw new ImportError(`${name} is empty.`);
  if (rows.size === 0) {
    const [first] = findings.rejected;
    throw new ImportError(
      `${name} contains no usable ZIP codes` + (first ? ` (${first.reason}).` : '.'),
    );
  }
  return { year, tables: [...tables].sort(), rows };
}

interface Cell extends Variable {
  text: string;
}

const nameOf = ({ table, line, kind }: Variable) => variableName(table, line, kind);

interface Columns {
  geo: number;
  /** Returns a row's cells of required tables. */
  cellsOf(row: unknown[]): Cell[];
}

function readHeader(name: string, header: unknown[]): Columns {
  const names = header.map((h) => String(h).trim());
  const at = (...wanted: string[]) => names.findIndex((own) => own === findColumn(names, wanted));
  const geo = at('geo_id', ...ZIP_COLUMNS, ...GEOGRAPHY_COLUMNS, 'name');
  const present = `It has: ${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}.`;
  if (geo < 0) {
    throw new ImportError(
      `${name} has no ZIP code column. Expected "zip code tabulation area" or GEO_ID. ${present}`,
    );
  }
  const [variable, estimate, margin] = [at('variable'), at('estimate'), at('moe')] as const;
  if (variable >= 0 && estimate >= 0) {
    return { geo, cellsOf: (row) => longCells(row[variable], row[estimate], row[margin]) };
  }
  const variables = names.flatMap((column, i) => {
    const known = parseVariable(column);
    return known ? [{ ...known, i }] : [];
  });
  if (!variables.some(({ kind }) => kind === 'E')) {
    throw new ImportError(
      `${name} contains none of the required ACS tables (${Object.keys(ACS_TABLES).join(', ')}). ` +
        `Expected columns such as B19013_001E. ${present}`,
    );
  }
  return { geo, cellsOf: (row) => variables.map(({ i, ...known }) => cellOf(known, row[i])) };
}

const cellOf = (variable: Variable, value: unknown): Cell => ({
  ...variable,
  text: String(value ?? '').trim(),
});

/** Returns the cells of a row with one variable, such as `B19013_001`, as R's tidycensus writes them. */
function longCells(variable: unknown, estimate: unknown, margin: unknown): Cell[] {
  const known = parseVariable(`${String(variable).trim().replace(/E$/, '')}E`);
  return known ? [cellOf(known, estimate), cellOf({ ...known, kind: 'M' }, margin)] : [];
}

/** Says why a row has no ZIP code. */
const rowProblem = (geography: unknown): string =>
  /^\d{3,4}$/.test(String(geography).trim())
    ? zipProblem(geography)
    : 'the row isn’t about a ZIP code';

/** data.census.gov groups digits: `95,907` */
const THOUSANDS = /^-?\d{1,3}(,\d{3})+$/;
/** data.census.gov writes these instead of sentinels, and R writes `NA`. */
const MISSING = /^(-|\*+|\(X\)|N|NA|NaN|null)$/i;

/** Adds a cell's value, or reports the reason for skipping it. */
function readValue(
  { text, ...variable }: Cell,
  year: number,
  values: Map<string, AcsValue>,
  skip: (problem: string) => void,
): void {
  const name = nameOf(variable);
  if (text === '') return;
  if (variable.kind === 'EA') {
    values.set(name, { annotation: text });
    return;
  }
  if (isControlled(variable, text)) {
    values.set(name, 0);
    return;
  }
  const end = readScaleEnd(variable, text);
  const value = end ?? Number(THOUSANDS.test(text) ? text.replaceAll(',', '') : text);
  if (MISSING.test(text) || isSentinel(variable, value)) {
    values.set(name, 'suppressed');
    return;
  }
  const problem = whyImpossible(variable, value, year);
  if (problem !== null) {
    skip(problem);
    return;
  }
  values.set(name, value);
  if (end !== null) values.set(nameOf({ ...variable, kind: 'EA' }), { annotation: text });
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

async function* delimitedRows({ name, handle }: InputFile): AsyncIterable<unknown[]> {
  const damaged = (problem: string) =>
    new ImportError(`${name} can’t be read: ${problem} Download it again.`);
  let width: number | undefined;
  const bytes = handle.createReadStream({ start: 0, autoClose: false });
  try {
    for await (const rows of textRows(decodeStream(bytes), (delimiter) =>
      refuseSemicolons(name, delimiter),
    )) {
      for (const { line, cells } of rows) {
        if (cells.some((cell) => cell.trimStart().startsWith('"'))) {
          throw damaged(
            `a quotation mark near line ${line} is never closed or in the wrong place.`,
          );
        }
        width ??= cells.length;
        if (cells.length !== width) {
          throw damaged(`a row near line ${line} has more or fewer columns than the header.`);
        }
        yield cells.map((cell) => cell.trim());
      }
    }
  } catch (cause) {
    throw cause instanceof ServiceError ? damaged(cause.message) : cause;
  }
}

/** Spreadsheets write semicolons in countries with decimal commas, where 12.000 may mean twelve thousand. */
function refuseSemicolons(name: string, delimiter: string): void {
  if (delimiter !== ';') return;
  throw new ImportError(
    `${name} separates its columns by semicolons. They must be separated by commas or |. Use the file as ` +
      'downloaded from the Census Bureau, without saving it in a spreadsheet.',
  );
}

function yearOf(name: string): number {
  const year = /(?:acs_?(?:dt)?5y?r?_?|5y)(20\d\d)/i.exec(name)?.[1];
  if (year) return Number(year);
  throw new ImportError(
    `The name ${name} doesn’t contain the vintage. Give the last of the five years with --year, such as --year 2023.`,
  );
}
