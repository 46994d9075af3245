/** Assigns ZIP codes to the county and state that contain their centroid. */
import type { Queryable } from '../db/database.ts';
import { states } from '../states.ts';

/** The counties with their finest shapes */
const COUNTIES = `
  basemap_features c join basemap_shapes s on s.feature_id = c.id and s.lod = 0
  where c.layer = 'counties' and c.kind = 'county'`;

/**
 * Fills `county_fips` of a table like `zips` where it is null. A centroid outside every county, on water, gets the
 * nearest one. ZIP codes without a postal state get the county's state.
 */
export async function assignCounties(db: Queryable, zipsTable: string): Promise<void> {
  // Subqueries, not joins: PostGIS's estimates of joins are now and then random numbers in PGlite, which
  // the planner refuses ("invalid join selectivity").
  // County by county: PostGIS prepares a polygon once for all points that it's compared with in a row.
  await db.query(
    `update ${zipsTable} z set county_fips = found.fips
     from (
       select distinct on (zip) zip, fips from (
         select fips, unnest(array(
           select zip from ${zipsTable} inside
           where county_fips is null and centroid && county.bbox and st_covers(county.geom, centroid)
         )) as zip
         from (select c.fips, c.bbox, s.geom from ${COUNTIES} offset 0) county) covering
       order by zip, fips) found
     where z.zip = found.zip`,
  );
  await db.query(
    `update ${zipsTable} z set county_fips = (
       select c.fips from ${COUNTIES} and st_dwithin(c.bbox, z.centroid, 1)
       order by s.geom <-> z.centroid, c.fips limit 1)
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
