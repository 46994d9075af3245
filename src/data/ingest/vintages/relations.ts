/**
 * `import zcta-relationship`: the Census Bureau's relationship file between the ZCTAs of 2010 and 2020, such as
 * `tab20_zcta510_zcta520_natl.txt`. With it, figures of the two can be compared.
 */
import type { Database, Queryable } from '../../../base/db/database.ts';
import { zipArray } from '../../../base/db/zip-array.ts';
import { decodeStream } from '../../../base/files/decode.ts';
import { textRows } from '../../../base/files/rows.ts';
import { parseZip } from '../../../base/geodata/zip-code.ts';
import { ImportError, ServiceError } from '../../../errors.ts';
import { openInput, refuseOtherFormats } from '../input-file.ts';
import type { Progress } from '../progress.ts';
import { Findings, type ImportReport } from '../report.ts';
import { recordVintages } from './store.ts';

interface Relation {
  zip2010: string;
  zip2020: string;
  landM2: number;
  land2010M2: number;
  land2020M2: number;
  population: number | null;
}

/** Names of the columns that the Bureau uses; the last one is in files with counts of residents. */
const COLUMNS = {
  zip2010: ['GEOID_ZCTA5_10', 'ZCTA5CE10', 'ZCTA5_10'],
  zip2020: ['GEOID_ZCTA5_20', 'ZCTA5CE20', 'ZCTA5_20'],
  landM2: ['AREALAND_PART', 'AREALANDPT'],
  land2010M2: ['AREALAND_ZCTA5_10'],
  land2020M2: ['AREALAND_ZCTA5_20'],
  population: ['POPPT', 'POP_PART'],
} as const;
type Column = keyof typeof COLUMNS;
const OPTIONAL: readonly Column[] = ['land2010M2', 'land2020M2', 'population'];

/**
 * Imports a relationship file, in place of the one before.
 * @throws ImportError that explains what is wrong with the file
 */
export async function importRelations(
  db: Database,
  file: string,
  { dryRun = false, progress }: { dryRun?: boolean; progress: Progress },
): Promise<ImportReport> {
  const findings = new Findings();
  progress('Reading relations', 0, 0);
  const relations = await readRelations(file, findings);
  progress('Storing relations', 0, 0);
  if (!dryRun) {
    await db.transaction(async (tx) => {
      await storeRelations(tx, relations);
      await recordVintages(tx);
    });
  }
  return findings.report({
    kind: 'zcta-relationship',
    files: [file],
    vintage: 'Census ZCTAs of 2010 and 2020',
    dryRun,
    kept: relations.length,
  });
}

async function readRelations(file: string, findings: Findings): Promise<Relation[]> {
  const input = await openInput(file);
  const { name, handle } = input;
  try {
    refuseOtherFormats(
      input,
      'Expected the text of a relationship file, such as tab20_zcta510_zcta520_natl.txt.',
    );
    const bytes = handle.createReadStream({ start: 0, autoClose: false });
    const relations = new Map<string, Relation>();
    let at: Record<Column, number> | undefined;
    for await (const rows of textRows(decodeStream(bytes), () => {})) {
      for (const { line, cells } of rows) {
        if (!at) at = columnsOf(name, cells);
        else readRow(cells, at, `${name}, row ${line}`, findings, relations);
      }
    }
    if (relations.size === 0) {
      throw new ImportError(`${name} contains no pair of ZIP codes. Download it again.`);
    }
    return withTotals([...relations.values()]);
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    throw new ImportError(`${name} can’t be read: ${cause.message} Download it again.`, { cause });
  } finally {
    await handle.close();
  }
}

function columnsOf(name: string, header: readonly string[]): Record<Column, number> {
  const names = header.map((one) => one.trim().toUpperCase());
  const at = Object.fromEntries(
    Object.entries(COLUMNS).map(([column, known]) => [
      column,
      names.findIndex((one) => (known as readonly string[]).includes(one)),
    ]),
  ) as Record<Column, number>;
  const missing = (Object.keys(COLUMNS) as Column[]).filter(
    (column) => at[column] < 0 && !OPTIONAL.includes(column),
  );
  if (missing.length === 0) return at;
  throw new ImportError(
    `${name} has no column ${missing.map((column) => COLUMNS[column][0]).join(' and no column ')}. ` +
      'Use the Census Bureau’s relationship file of the ZCTAs of 2010 and 2020, tab20_zcta510_zcta520_natl.txt. ' +
      `It has: ${header.slice(0, 12).join(', ')}${header.length > 12 ? ', …' : ''}.`,
  );
}

function readRow(
  cells: readonly string[],
  at: Record<Column, number>,
  label: string,
  findings: Findings,
  relations: Map<string, Relation>,
): void {
  const text = (column: Column) => (at[column] < 0 ? '' : (cells[at[column]] ?? '').trim());
  // Land that only one of the two censuses has in a ZCTA.
  if (text('zip2010') === '' || text('zip2020') === '') return;
  findings.rowsRead++;
  const [zip2010, zip2020] = [parseZip(text('zip2010')), parseZip(text('zip2020'))];
  const amount = (column: Column) => (text(column) === '' ? null : Number(text(column)));
  const landM2 = amount('landM2');
  if (zip2010 === null || zip2020 === null) {
    findings.reject(
      'a code isn’t a ZIP code',
      `${label}: "${text('zip2010')}", "${text('zip2020')}"`,
    );
  } else if (landM2 === null || !(landM2 >= 0)) {
    findings.reject('the area isn’t a number', `${label}: "${text('landM2')}"`);
  } else if (relations.has(`${zip2010} ${zip2020}`)) {
    findings.reject('duplicate pair; the first row was kept', label);
  } else {
    const known = (column: Column) => {
      const value = amount(column);
      return value !== null && value >= 0 ? value : null;
    };
    relations.set(`${zip2010} ${zip2020}`, {
      zip2010,
      zip2020,
      landM2,
      land2010M2: known('land2010M2') ?? 0,
      land2020M2: known('land2020M2') ?? 0,
      population: known('population'),
    });
  }
}

/** Adds up the parts of each area where the file doesn't have its total. */
function withTotals(relations: readonly Relation[]): Relation[] {
  const sums = { zip2010: new Map<string, number>(), zip2020: new Map<string, number>() };
  for (const one of relations) {
    for (const census of ['zip2010', 'zip2020'] as const) {
      sums[census].set(one[census], (sums[census].get(one[census]) ?? 0) + one.landM2);
    }
  }
  return relations.map((one) => ({
    ...one,
    land2010M2: Math.max(one.land2010M2, sums.zip2010.get(one.zip2010)!),
    land2020M2: Math.max(one.land2020M2, sums.zip2020.get(one.zip2020)!),
  }));
}

async function storeRelations(tx: Queryable, relations: readonly Relation[]): Promise<void> {
  const column = (value: (one: Relation) => number | null) =>
    `{${relations.map((one) => value(one) ?? 'NULL').join()}}`;
  await tx.query('delete from zcta_relations');
  await tx.query(
    `insert into zcta_relations (zip_2010, zip_2020, land_area_m2, land_2010_m2, land_2020_m2, population)
     select * from unnest($1::text[], $2::text[], $3::float8[], $4::float8[], $5::float8[], $6::float8[])`,
    [
      zipArray(relations.map(({ zip2010 }) => zip2010)),
      zipArray(relations.map(({ zip2020 }) => zip2020)),
      column(({ landM2 }) => landM2),
      column(({ land2010M2 }) => land2010M2),
      column(({ land2020M2 }) => land2020M2),
      column(({ population }) => population),
    ],
  );
}

/** What the areas of 2020 have in common with those of 2010 */
export interface StoredPart {
  zip2010: string;
  zip2020: string;
  shareOf2010: number;
  shareOf2020: number;
  /** Share of the residents of 2010 if the file counts them, else of the land */
  weight: number;
}

/** Returns the parts of areas of 2020. @param zips default: all */
export const readParts = (db: Queryable, zips?: Iterable<string>): Promise<StoredPart[]> =>
  db.query<StoredPart>(
    `select zip_2010 as "zip2010", zip_2020 as "zip2020",
       coalesce(land_area_m2 / nullif(land_2010_m2, 0), 1) as "shareOf2010",
       coalesce(land_area_m2 / nullif(land_2020_m2, 0), 1) as "shareOf2020",
       coalesce(r.population / nullif(residents, 0), land_area_m2 / nullif(land_2010_m2, 0),
         -- An area without land, and of unknown residents
         1.0::float8 / (select count(*) from zcta_relations same where same.zip_2010 = r.zip_2010)) as weight
     from zcta_relations r
     left join lateral (
       select sum(population) as residents from zcta_relations same
       where same.zip_2010 = r.zip_2010 having bool_and(population is not null)
     ) total on r.population is not null
     where $1::text[] is null or zip_2020 = any($1)
     order by zip_2020, zip_2010`,
    [zips === undefined ? null : zipArray(zips)],
  );

/** Whether a relationship file was imported. */
export async function hasRelations(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(
    'select exists (select from zcta_relations) as has',
  );
  return row!.has;
}
