/** The imported datasets and their sources. */
import type { Queryable } from './database.ts';

export type DatasetName =
  | 'boundaries'
  | 'demographics'
  | 'scores'
  | 'states'
  | 'counties'
  | 'water'
  | 'landuse'
  | 'roads'
  | 'places';

export interface DatasetFacts {
  /** Display text, such as `ACS 5-Year 2017-2021` */
  vintage: string;
  /** Generated, not measured */
  synthetic: boolean;
}

export interface Dataset extends DatasetFacts {
  name: DatasetName;
  importedAt: Date;
}

/** Returns the current datasets by name, without those that were never imported. */
export async function readDatasets(db: Queryable): Promise<Map<DatasetName, Dataset>> {
  const rows = await db.query<Dataset>(
    'select name, vintage, synthetic, imported_at as "importedAt" from datasets',
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** Returns a string that changes with every import of one of the datasets. */
export async function datasetsStamp(db: Queryable, names: readonly DatasetName[]): Promise<string> {
  const [stamp] = await datasetsStamps(db, [names]);
  return stamp!;
}

/**
 * Returns a stamp for each list of datasets, all of the same moment. A stamp contains no spaces, and no
 * two states of the data have the same one.
 */
export async function datasetsStamps(
  db: Queryable,
  lists: readonly (readonly DatasetName[])[],
): Promise<string[]> {
  const rows = await db.query<{ name: DatasetName; micros: string }>(
    'select name, (extract(epoch from imported_at) * 1e6)::bigint::text as micros from datasets',
  );
  const microsOf = new Map(rows.map(({ name, micros }) => [name, micros]));
  return lists.map((names) => names.map((name) => microsOf.get(name) ?? 0).join());
}

/** The time always advances, even if the clock doesn't: see `datasetsStamps`. */
export async function recordDataset(
  tx: Queryable,
  name: DatasetName,
  { vintage, synthetic }: DatasetFacts,
): Promise<void> {
  await tx.query(
    `insert into datasets (name, vintage, synthetic) values ($1, $2, $3)
     on conflict (name) do update
     set vintage = $2, synthetic = $3, import_key = null,
       imported_at = greatest(now(), datasets.imported_at + interval '1 microsecond')`,
    [name, vintage, synthetic],
  );
}

/** Marks datasets with what an import read, so that it can tell later whether it has read the same. */
export async function setImportKey(
  db: Queryable,
  names: readonly DatasetName[],
  key: string,
): Promise<void> {
  await db.query('update datasets set import_key = $2 where name = any($1)', [names, key]);
}

/** Returns whether all datasets come from the import with this key. */
export async function hasImportKey(
  db: Queryable,
  names: readonly DatasetName[],
  key: string,
): Promise<boolean> {
  const rows = await db.query('select from datasets where name = any($1) and import_key = $2', [
    names,
    key,
  ]);
  return rows.length === names.length;
}

/** Starts a new version of a dataset after a change that isn't an import of it. */
export async function touchDataset(tx: Queryable, name: DatasetName): Promise<void> {
  await tx.query(
    `update datasets
     set imported_at = greatest(now(), imported_at + interval '1 microsecond') where name = $1`,
    [name],
  );
}
