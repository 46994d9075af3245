/** Checks whether the coast is fitted. Separate from the fitting, whose code a start rarely needs. */
import type { Queryable } from '../../../base/db/database.ts';

/**
 * Whether water is fitted to the states. Lagoons in the ocean depend on the boundaries of ZIP codes, and these
 * end at the shores.
 */
export async function hasFittedWater(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(
    `select exists (
       select from basemap_features where layer = 'water' and coast = 'derived') as has`,
  );
  return row!.has;
}

/**
 * Whether the coast is fitted to the current data. It isn't in databases of earlier versions, nor after an
 * import that postpones the fitting.
 */
export async function hasCoast(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(
    `select not exists (select from basemap_features where layer = 'states')
       or (exists (select from basemap_features where coast = 'derived')
         and not exists (select from datasets where newer_than_coast)) as has`,
  );
  return row!.has;
}
