/**
 * ZIP codes with figures but no boundary, which occur if the vintages of both differ. They get rows in
 * `zips`, so that they belong to counties and metros, and brands can hold them.
 */
import type { Queryable } from '../../base/db/database.ts';
import { touchDataset } from '../../base/db/datasets.ts';
import { assignCounties } from './counties.ts';
import { storeZipDirectory } from './zip-directory.ts';

/**
 * Updates their rows to match the boundaries and figures. Without any boundaries, there are no such rows,
 * since all ZIP codes would be in them.
 */
export async function storeZipsWithoutBoundary(tx: Queryable): Promise<void> {
  const before = await tx.query('delete from zips where bbox is null returning zip');
  const after = await tx.query(
    `insert into zips (zip, city, state, centroid)
     select d.zip, city, directory.state, point
     from zip_demographics d left join zip_directory directory using (zip)
     where not exists (select from zips where zips.zip = d.zip)
       and exists (select from datasets where name = 'boundaries')
     returning zip`,
  );
  if (before.length + after.length === 0) return;
  await assignCounties(tx, 'zips');
  await touchDataset(tx, 'boundaries');
}

/** Adds the rows to a database that was filled before they existed. */
export async function addMissingZips(tx: Queryable): Promise<void> {
  const filled = await tx.query(`select from datasets where name = 'boundaries'`);
  if (filled.length === 0) return;
  await storeZipDirectory(tx);
  await storeZipsWithoutBoundary(tx);
}
