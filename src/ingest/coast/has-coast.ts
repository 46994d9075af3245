/** Apart from the fitting, whose code a start rarely needs. */
import type { Queryable } from '../../db/database.ts';

/** Whether an imported ocean reaches into states, where its shores depend on the boundaries of ZIP codes. */
export async function hasImportedOcean(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(
    `select exists (
       select from basemap_features
       where layer = 'water' and kind = 'ocean' and coast is distinct from 'derived') as has`,
  );
  return row!.has;
}

/** Whether the coast is fitted. It isn't in databases of earlier versions. */
export async function hasCoast(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(
    `select not exists (select from basemap_features where layer = 'states')
       or exists (select from basemap_features where coast = 'derived') as has`,
  );
  return row!.has;
}
