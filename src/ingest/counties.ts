/** Assigns ZIP codes to the county and state that contain their centroid. */
import type { Queryable } from '../db/database.ts';
import { states } from '../states.ts';

const COUNTY = `
  select c.fips from basemap_features c join basemap_shapes s on s.feature_id = c.id and s.lod = 0
  where c.layer = 'counties' and c.kind = 'county'`;

/**
 * Fills `county_fips` of a table like `zips` where it is null. A centroid outside every county, on water, gets the
 * nearest one. ZIP codes without a postal state get the county's state.
 */
export async function assignCounties(db: Queryable, zipsTable: string): Promise<void> {
  // Subqueries, not joins: PostGIS's estimates of joins are now and then random numbers in PGlite, which
  // the planner refuses ("invalid join selectivity"). "offset 0" keeps it from choosing another index than
  // that of the centroids.
  await db.query(
    `update ${zipsTable} z set county_fips = coalesce(
       (${COUNTY} and c.bbox && z.centroid and st_covers(s.geom, z.centroid) limit 1),
       (${COUNTY} and st_dwithin(c.bbox, z.centroid, 1) order by s.geom <-> z.centroid, c.fips limit 1))
     where county_fips is null`,
  );
  const known = states();
  await db.query(
    `update ${zipsTable} z set state = t.usps
     from unnest($1::text[], $2::text[]) as t (fips, usps)
     where z.state is null and left(z.county_fips, 2) = t.fips`,
    [known.map((s) => s.fips), known.map((s) => s.usps)],
  );
}
