/** The imported datasets and their sources. */
import type { Queryable } from './queryable.ts';

export type DatasetName =
  | 'boundaries'
  | 'demographics'
  | 'vintages'
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
  /** Whether the data is generated, not measured */
  synthetic: boolean;
}

export interface Dataset extends DatasetFacts {
  name: DatasetName;
  importedAt: Date;
}

export type Datasets = ReadonlyMap<DatasetName, Dataset>;

/**
 * Returns the current datasets by name, except those that were never imported.
 * @param db may already know the datasets of the version that it reads
 */
export const readDatasets = async (db: Queryable & { datasets?: Datasets }): Promise<Datasets> =>
  db.datasets ?? readTimedDatasets(db);

/** A dataset with `importedAt` in microseconds since 1970 */
type TimedDataset = Dataset & { micros: string };

export async function readTimedDatasets(db: Queryable): Promise<Map<DatasetName, TimedDataset>> {
  const rows = await db.query<TimedDataset>(
    `select name, vintage, synthetic, imported_at as "importedAt", ${MICROS} from datasets`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** Returns a string that changes with every import of one of the datasets. */
export async function datasetsStamp(db: Queryable, names: readonly DatasetName[]): Promise<string> {
  const [stamp] = await datasetsStamps(db, [names]);
  return stamp!;
}

/** Returns a stamp for each list of datasets, all from the same moment. */
export async function datasetsStamps(
  db: Queryable,
  lists: readonly (readonly DatasetName[])[],
): Promise<string[]> {
  const rows = await db.query<Pick<TimedDataset, 'name' | 'micros'>>(
    `select name, ${MICROS} from datasets`,
  );
  return stampsIn(new Map(rows.map((row) => [row.name, row])), lists);
}

/**
 * Returns a stamp for each list. A stamp contains no spaces, and two states of the data never have the same
 * stamp.
 */
export const stampsIn = (
  datasets: ReadonlyMap<DatasetName, Pick<TimedDataset, 'micros'>>,
  lists: readonly (readonly DatasetName[])[],
): string[] => lists.map((names) => names.map((name) => datasets.get(name)?.micros ?? 0).join());

const MICROS = '(extract(epoch from imported_at) * 1e6)::bigint::text as micros';

/** Records an import. The time always advances, even if the clock doesn't: see `stampsIn`. */
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

/** Marks datasets with the input of an import, so that a later one can recognize the same input. */
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

/** Marks datasets to which the coast isn't fitted yet. Call it in the transaction that replaces them. */
export async function markNewerThanCoast(
  tx: Queryable,
  names: readonly DatasetName[],
): Promise<void> {
  await tx.query('update datasets set newer_than_coast = true where name = any($1)', [names]);
}

/** Removes the marks of `markNewerThanCoast`, once the coast is fitted to all datasets. */
export async function unmarkNewerThanCoast(tx: Queryable): Promise<void> {
  await tx.query('update datasets set newer_than_coast = false where newer_than_coast');
}

/** Starts a new version of a dataset after a change without an import. */
export async function touchDataset(tx: Queryable, name: DatasetName): Promise<void> {
  await tx.query(
    `update datasets
     set imported_at = greatest(now(), imported_at + interval '1 microsecond') where name = $1`,
    [name],
  );
}
