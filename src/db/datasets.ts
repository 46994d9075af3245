/** What the tables hold and where it came from. */
import type { Queryable } from './database.ts';

export type DatasetName =
  'boundaries' | 'demographics' | 'scores' | 'states' | 'counties' | 'water' | 'roads' | 'places';

export interface DatasetFacts {
  /** For people, e.g. `ACS 5-Year 2017-2021` */
  vintage: string;
  /** Made up rather than measured */
  synthetic: boolean;
}

export interface Dataset extends DatasetFacts {
  name: DatasetName;
  importedAt: Date;
}

/** What is there now, by name; a dataset that was never imported is missing. */
export async function datasets(db: Queryable): Promise<Map<DatasetName, Dataset>> {
  const rows = await db.query<Dataset>(
    'select name, vintage, synthetic, imported_at as "importedAt" from datasets',
  );
  return new Map(rows.map((row) => [row.name, row]));
}

export async function recordDataset(
  tx: Queryable,
  name: DatasetName,
  { vintage, synthetic }: DatasetFacts,
): Promise<void> {
  await tx.query(
    `insert into datasets (name, vintage, synthetic) values ($1, $2, $3)
     on conflict (name) do update
     set vintage = $2, synthetic = $3, imported_at = now()`,
    [name, vintage, synthetic],
  );
}
