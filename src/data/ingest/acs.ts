/**
 * `import acs`: imports demographics from ACS files of one or several vintages. Each vintage is kept with its margins of
 * error, and the newest tables are the current figures.
 */
import type { Database } from '../../base/db/database.ts';
import { readAcsFile, type AcsFile, type AcsValue } from './acs-file.ts';
import { decadesOfB25034, SCALE_ENDS, variableName } from './acs-tables.ts';
import { readDatasets, type DatasetFacts } from '../../base/db/datasets.ts';
import { joinWithAnd } from '../../base/text/words.ts';
import { ImportError } from '../../errors.ts';
import {
  censusFigures,
  type Demographics,
  type ReliabilityFlag,
  type Signal,
} from './demographics.ts';
import {
  readDemographics,
  storeDemographics,
  type StoredDemographics,
} from './demographics-store.ts';
import type { Progress } from './progress.ts';
import { refuseShrinking } from './refuse-shrinking.ts';
import { Findings, type ImportReport } from './report.ts';
import { noteVintages, storeFiles, vintagesOf, type VintageToStore } from './vintages/import.ts';
import { spanOf } from './vintages/spans.ts';

export interface AcsOptions {
  /** Last of the five years; default: from each file's name */
  year?: number;
  /**
   * Drop all earlier figures, including tables that these files don't contain, even if fewer than half of
   * the sample's ZIP codes remain
   */
  replace?: boolean;
  /** Keep the files’ vintages beside the current figures, which stay as they are */
  keepCurrent?: boolean;
  dryRun?: boolean;
  progress: Progress;
}

export async function importAcs(
  db: Database,
  files: string[],
  options: AcsOptions,
): Promise<ImportReport> {
  const findings = new Findings();
  const read: AcsFile[] = [];
  for (const [i, file] of files.entries()) {
    options.progress('Reading census tables', i, files.length);
    read.push(await readAcsFile(file, findings, options.year));
  }
  return mergeAcs(db, files, read, findings, options);
}

/**
 * Merges the files into the existing demographics, oldest vintage first, so that the newest file wins if
 * several contain the same table. Tables that no file contains keep their values, except that real data
 * never mixes with sample data.
 * @throws ImportError if the first real figures have fewer than half of the sample's ZIP codes, without
 *   `replace`; if there are no real figures beside which to keep a vintage
 */
export async function mergeAcs(
  db: Database,
  names: string[],
  files: AcsFile[],
  findings: Findings,
  options: AcsOptions,
): Promise<ImportReport> {
  const present = (await readDatasets(db)).get('demographics');
  const vintages = await vintagesOf(db, files);
  if (options.keepCurrent) return keepBeside(db, names, { vintages, present }, findings, options);
  const fresh = options.replace || !present || present.synthetic;
  const rows = new Map<string, StoredDemographics>();
  if (!fresh) for (const row of await readDemographics(db)) rows.set(row.zip, row);

  const stored = latestYears(rows.values());
  const outdated = new Map<string, Set<string>>();
  for (const file of files.toSorted((a, b) => a.year - b.year)) {
    const tables = file.tables.filter((table) => (stored.get(table) ?? 0) <= file.year);
    for (const table of file.tables) {
      if (tables.includes(table)) continue;
      const span = spanOf(file.year);
      outdated.set(span, (outdated.get(span) ?? new Set()).add(table));
    }
    if (tables.length === 0) continue;
    for (const [zip, values] of file.rows) {
      const row = rows.get(zip) ?? { ...emptyDemographics(zip), tableYears: {}, sourceVintage: '' };
      applyTables(row, values, { ...file, tables });
      rows.set(zip, row);
    }
  }
  for (const [span, tables] of outdated) {
    findings.note(
      `${joinWithAnd([...tables].sort())} of ${span}: the current figures are later and stay. These are kept for ` +
        'comparisons. To go back to them, add --replace.',
    );
  }
  for (const row of rows.values()) row.sourceVintage = vintageText(row.tableYears);
  if (present?.synthetic && !options.replace) {
    const command = 'territory-admin import acs … --replace';
    refuseShrinking(rows.size, await countMeasured(db), command);
  }
  noteCoverage(rows, findings);
  const vintage = spansText(rows);
  const { dryRun = false, progress } = options;
  await storeDemographics(
    db,
    [...rows.values()],
    { vintage, synthetic: false },
    { dryRun, progress, findings, also: (tx) => storeFiles(tx, vintages) },
  );
  await noteVintages(db, vintages, findings);
  return findings.report({ kind: 'acs', files: names, vintage, dryRun, kept: rows.size });
}

/** Stores the vintages of files, and leaves the current figures and scores as they are. */
async function keepBeside(
  db: Database,
  names: string[],
  { vintages, present }: { vintages: VintageToStore[]; present: DatasetFacts | undefined },
  findings: Findings,
  { dryRun = false, replace, progress }: AcsOptions,
): Promise<ImportReport> {
  if (replace) {
    throw new ImportError(
      '--keep-current keeps the current figures, and --replace deletes them. Choose one of them.',
    );
  }
  if (!present || present.synthetic) {
    throw new ImportError(
      `There are ${present ? 'only sample figures' : 'no current figures'}. Import the current vintage first, ` +
        'without --keep-current.',
    );
  }
  progress('Storing vintages', 0, 0);
  if (!dryRun) await db.transaction((tx) => storeFiles(tx, vintages));
  await noteVintages(db, vintages, findings);
  return findings.report({
    kind: 'acs',
    files: names,
    vintage: `ACS 5-Year ${vintages.map(({ year }) => spanOf(year)).join(' and ')}`,
    dryRun,
    kept: new Set(vintages.flatMap(({ rows }) => rows.map(({ zip }) => zip))).size,
  });
}

/** Returns the last year of each table's latest figures. */
function latestYears(rows: Iterable<StoredDemographics>): Map<string, number> {
  const years = new Map<string, number>();
  for (const { tableYears } of rows) {
    for (const [table, year] of Object.entries(tableYears)) {
      years.set(table, Math.max(year, years.get(table) ?? 0));
    }
  }
  return years;
}

async function countMeasured(db: Database): Promise<number> {
  const [{ measured }] = (await db.query(
    'select count(*)::int as measured from zip_demographics',
  )) as [{ measured: number }];
  return measured;
}

const emptyDemographics = (zip: string): Demographics => ({
  zip,
  ...censusFigures(null),
  homesByDecadeBuilt: null,
  flags: {},
});

/** Sets only the signals of the tables in the file. */
function applyTables(
  row: StoredDemographics,
  values: Map<string, AcsValue>,
  { tables, year }: AcsFile,
): void {
  for (const table of tables) {
    const cell = (line: number, kind = 'E') => values.get(variableName(table, line, kind));
    const estimate = (line: number) => numberOrNull(cell(line));
    const set = (signal: Signal, value: number | null, line: number) => {
      (row as Record<Signal, unknown>)[signal] = value;
      const flag = flagOf(table, cell(line), cell(line, 'M'), cell(line, 'EA'));
      if (flag) row.flags[signal] = flag;
      else delete row.flags[signal];
    };
    row.tableYears[table] = year;
    for (const [i, signal] of (STORED_LINES[table] ?? []).entries()) {
      set(signal, estimate(i + 1), i + 1);
    }
    if (table === 'B25003') row.ownerOccupiedPct = percent(estimate(2), estimate(1));
    if (table === 'B25024') row.singleFamilyDetachedPct = percent(estimate(2), estimate(1));
    if (table === 'B25034') applyHomeAge(row, estimate, year);
  }
}

/** The signals that are stored as lines of a table, from its first line */
const STORED_LINES: Readonly<Record<string, readonly Signal[]>> = {
  B01003: ['populationTotal'],
  B01002: ['medianAge'],
  B19013: ['medianHouseholdIncome'],
  B25077: ['medianHomeValue'],
  B25003: ['householdsTotal', 'ownerOccupiedHouseholds'],
  B25035: ['medianYearBuilt'],
};

function applyHomeAge(
  row: StoredDemographics,
  estimate: (line: number) => number | null,
  year: number,
): void {
  const decades = decadesOfB25034(year);
  const total = estimate(1);
  const counts = Array.from({ length: 10 }, () => 0);
  const known = decades?.every((decade, i) => {
    const homes = estimate(i + 2);
    counts[decade]! += homes ?? 0;
    return homes !== null;
  });
  row.homesByDecadeBuilt = known ? counts : null;
  const share = (from: number, to: number) =>
    percent(known ? counts.slice(from, to).reduce((a, b) => a + b, 0) : null, total);
  row.homeAgePre1980Pct = share(0, 5);
  row.homeAge19801999Pct = share(5, 7);
  row.homeAge2000PlusPct = share(7, 10);
}

const numberOrNull = (value: AcsValue | undefined) => (typeof value === 'number' ? value : null);

/** Returns a percentage to one decimal; null without a total, or if the part exceeds it. */
function percent(part: number | null, whole: number | null): number | null {
  return part === null || !whole || part > whole ? null : Math.round((1000 * part) / whole) / 10;
}

/** ACS margins of error are at the 90% level: the standard error is the margin divided by 1.645. */
const MARGIN_TO_STANDARD_ERROR = 1.645;
/** Estimates with a coefficient of variation above 40% have low reliability in Esri's classification. */
const LOW_RELIABILITY = 0.4;

function flagOf(
  table: string,
  estimate: AcsValue | undefined,
  margin: AcsValue | undefined,
  annotation: AcsValue | undefined,
): ReliabilityFlag | undefined {
  if (estimate === 'suppressed') return 'suppressed';
  if (typeof estimate !== 'number') return undefined;
  const note = typeof annotation === 'object' ? annotation.annotation : '';
  const { lowest = -Infinity, highest = Infinity } = SCALE_ENDS[table] ?? {};
  if (/\d\+$/.test(note) || estimate >= highest) return 'top-coded';
  if (/\d-$/.test(note) || estimate <= lowest) return 'bottom-coded';
  if (typeof margin !== 'number' || margin < 0 || estimate <= 0) return undefined;
  const variation = margin / MARGIN_TO_STANDARD_ERROR / estimate;
  return variation > LOW_RELIABILITY ? 'low-reliability' : undefined;
}

/** `ACS 5-Year 2017-2021 (B01003, B19013); ACS 5-Year 2019-2023 (B25003)`. */
function vintageText(tableYears: Record<string, number>): string {
  const years = [...new Set(Object.values(tableYears))].sort();
  return years
    .map((year) => {
      const span = `ACS 5-Year ${spanOf(year)}`;
      const tables = Object.keys(tableYears).filter((table) => tableYears[table] === year);
      return years.length === 1 ? span : `${span} (${tables.sort().join(', ')})`;
    })
    .join('; ');
}

/**
 * Vintage of the whole country, short enough for the attribution of a map: `ACS 5-Year 2017-2021 and
 * 2019-2023`.
 */
function spansText(rows: Map<string, StoredDemographics>): string {
  const years = new Set<number>();
  for (const row of rows.values())
    for (const year of Object.values(row.tableYears)) years.add(year);
  const spans = [...years].sort().map(spanOf);
  return `ACS 5-Year ${spans.join(' and ')}`;
}

const NOTED_SIGNALS = [
  ...(['populationTotal', 'householdsTotal', 'medianHouseholdIncome', 'medianHomeValue'] as const),
  ...(['singleFamilyDetachedPct', 'medianAge', 'medianYearBuilt', 'homesByDecadeBuilt'] as const),
];

/** Notes incomplete signals, so that a missing table isn't mistaken for missing census data. */
function noteCoverage(rows: Map<string, StoredDemographics>, findings: Findings): void {
  for (const signal of NOTED_SIGNALS) {
    let known = 0;
    for (const row of rows.values()) if (row[signal] !== null) known++;
    if (known < rows.size) findings.note(`${signal}: known for ${known} of ${rows.size} ZIP codes`);
  }
}
