/** Reads and replaces the vintages of census figures that are kept side by side. */
import type { Queryable } from '../../../base/db/database.ts';
import { recordDataset } from '../../../base/db/datasets.ts';
import { zipArray } from '../../../base/db/zip-array.ts';
import { LINES, type LineValues } from './lines.ts';
import { spanOf } from './spans.ts';

/** A five-year period */
export interface Vintage {
  /** The last of the five years */
  year: number;
  /** Whether the figures are generated, not measured */
  synthetic: boolean;
  /** The census tables of this period that are kept, in order */
  tables: string[];
}

export interface VintageRow {
  zip: string;
  lines: LineValues;
}

/** Whether a vintage was new within the last days. */
export async function isNewVintage(db: Queryable, year: number, days: number): Promise<boolean> {
  const rows = await db.query(
    'select from census_vintages where year = $1 and imported_at > now() - make_interval(days => $2)',
    [year, days],
  );
  return rows.length > 0;
}

/** Returns the kept vintages, oldest first. */
export const listVintages = (db: Queryable): Promise<Vintage[]> =>
  db.query<Vintage>('select year, synthetic, tables from census_vintages order by year');

/**
 * Returns what a vintage says about ZIP codes, in their order. ZIP codes that it doesn't have are missing.
 * @param zips default: all
 */
export async function readVintage(
  db: Queryable,
  year: number,
  zips?: Iterable<string>,
): Promise<VintageRow[]> {
  const rows = await db.query<StoredRow>(
    `select ${ROW} from zip_vintages
     where year = $1 and ($2::text[] is null or zip = any($2)) order by zip`,
    [year, zips === undefined ? null : zipArray(zips)],
  );
  return rows.map(rowOf);
}

/** Returns what a vintage says about the next ZIP codes. @param zip the last one of the previous call; empty at first */
export async function readVintageAfter(
  db: Queryable,
  year: number,
  zip: string,
  limit: number,
): Promise<VintageRow[]> {
  const rows = await db.query<StoredRow>(
    `select ${ROW} from zip_vintages where year = $1 and zip > $2 order by zip limit $3`,
    [year, zip, limit],
  );
  return rows.map(rowOf);
}

/** Each array is read as a text, which takes a third of the time. */
const ROW = `zip, array_to_string(estimates, ',', '') as estimates,
  array_to_string(margins, ',', '') as margins`;

interface StoredRow {
  zip: string;
  estimates: string;
  margins: string;
}

const rowOf = ({ zip, estimates, margins }: StoredRow): VintageRow => ({
  zip,
  lines: readLines(estimates, margins),
});

function readLines(estimates: string, margins: string): LineValues {
  const [values, errors] = [estimates.split(','), margins.split(',')];
  const numberAt = (texts: readonly string[], i: number) => (texts[i] ? Number(texts[i]) : null);
  return Object.fromEntries(
    LINES.map((line, i) => [line, { value: numberAt(values, i), margin: numberAt(errors, i) }]),
  ) as LineValues;
}

const BATCH_ROWS = 5_000;

/** Replaces a vintage. It counts as new if it has a table that it lacked. Call it in the transaction of the import. */
export async function storeVintage(
  tx: Queryable,
  { year, synthetic, tables }: Vintage,
  rows: readonly VintageRow[],
): Promise<void> {
  await tx.query('delete from zip_vintages where year = $1', [year]);
  await tx.query(
    `insert into census_vintages as kept (year, synthetic, tables) values ($1, $2, $3)
     on conflict (year) do update set synthetic = excluded.synthetic, tables = excluded.tables,
       imported_at = case when kept.tables @> excluded.tables then kept.imported_at else now() end`,
    [year, synthetic, [...tables].sort()],
  );
  for (let from = 0; from < rows.length; from += BATCH_ROWS) {
    const batch = rows.slice(from, from + BATCH_ROWS);
    // As text, because the driver takes ten times as long for arrays. No value needs quotes, except arrays.
    const arrays = (of: 'value' | 'margin') =>
      `{${batch.map(({ lines }) => `"{${LINES.map((line) => lines[line][of] ?? 'NULL').join()}}"`).join()}}`;
    await tx.query(
      `insert into zip_vintages (year, zip, estimates, margins)
       select $1, zip, estimates::real[], margins::real[]
       from unnest($2::text[], $3::text[], $4::text[]) as rows (zip, estimates, margins)`,
      [year, zipArray(batch.map(({ zip }) => zip)), arrays('value'), arrays('margin')],
    );
  }
}

/** Removes vintages. @param which all synthetic ones, or that of a year */
export async function dropVintages(tx: Queryable, which: 'synthetic' | number): Promise<void> {
  if (which === 'synthetic') await tx.query('delete from census_vintages where synthetic');
  else await tx.query('delete from census_vintages where year = $1', [which]);
}

/** Starts a new version of the vintages, which caches and answers depend on. */
export async function recordVintages(tx: Queryable): Promise<void> {
  const vintages = await listVintages(tx);
  await recordDataset(tx, 'vintages', {
    vintage: vintages.map(({ year }) => spanOf(year)).join(', ') || 'none',
    synthetic: vintages.some(({ synthetic }) => synthetic),
  });
}
