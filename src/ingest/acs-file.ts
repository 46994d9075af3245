/**
 * Reads one ACS file: JSON from the Census API (an array of rows, with names in the first one) or
 * table-based text (delimited by `,` or `|`).
 */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { parse } from 'csv-parse';
import { ImportError } from '../errors.ts';
import {
  ACS_TABLES,
  isSentinel,
  parseVariable,
  variableName,
  type Variable,
} from './acs-tables.ts';
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
  const name = basename(file);
  await stat(file).catch((cause: Error) => {
    throw new ImportError(`${name} can’t be read: there is no such file. Check the path.`, {
      cause,
    });
  });
  const rows = name.toLowerCase().endsWith('.json')
    ? jsonRows(name, await readFile(file, 'utf8'))
    : delimitedRows(file);
  return readAcsRows(name, rows, findings, year ?? yearOf(name));
}

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
    // Files from data.census.gov have a row of labels below the names.
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

function readValues(
  row: unknown[],
  { variables }: Columns,
  findings: Findings,
  label: string,
): Map<string, AcsValue> {
  const values = new Map<string, AcsValue>();
  for (const { at, name, kind } of variables) {
    const text = String(row[at] ?? '').trim();
    if (text === '') continue;
    if (kind === 'EA') {
      values.set(name, { annotation: text });
      continue;
    }
    const value = Number(text);
    // data.census.gov writes "-", "**", "(X)", and the like instead of sentinels.
    if (/^(-|\*+|\(X\)|N|null)$/i.test(text) || isSentinel(value)) values.set(name, 'suppressed');
    else if (/^[\d,]+\+$/.test(text)) values.set(name, Number(text.replace(/[,+]/g, '')) + 1);
    else if (Number.isFinite(value)) values.set(name, value);
    else findings.reject('a value isn’t a number and was skipped', `${label}, ${name}: "${text}"`);
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

async function* delimitedRows(file: string): AsyncIterable<unknown[]> {
  const parser = createReadStream(file).pipe(
    parse({ bom: true, delimiter: [',', '|'], relax_column_count: false, trim: true }),
  );
  try {
    yield* parser;
  } catch (cause) {
    throw new ImportError(
      `${basename(file)} can’t be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { cause },
    );
  }
}

function yearOf(name: string): number {
  const year = /(?:acs_?(?:dt)?5y?r?_?|5y)(20\d\d)/i.exec(name)?.[1];
  if (year) return Number(year);
  throw new ImportError(
    `The name ${name} doesn’t contain the vintage. Give the last of the five years with --year, such as --year 2023.`,
  );
}
