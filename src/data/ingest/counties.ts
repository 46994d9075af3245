/** Assigns ZIP codes to the county and state that contain their centroid. */
import type { Queryable } from '../../base/db/database.ts';
import { states } from '../../base/geodata/states.ts';

const IS_COUNTY = `layer = 'counties' and kind = 'county'`;

/**
 * Fills in `county_fips` where it is null, in a table like `zips`. A centroid outside all counties, on
 * water, is assigned to the nearest one. ZIP codes without a postal state get the county's state.
 */
export async function assignCounties(db: Queryable, zipsTable: string): Promise<void> {
  // Subqueries instead of joins, because PGlite sometimes estimates joins of PostGIS with random numbers,
  // which the planner refuses ("invalid join selectivity"). "offset 0" prevents other plans, such as
  // reading all shapes for each ZIP code. One county after another, because PostGIS prepares a polygon once
  // for all points that it compares in a row.
  await db.query(
    `update ${zipsTable} z set county_fips = found.fips
     from (
       select distinct on (zip) zip, fips from (
         select fips, unnest(array(
           select zip
           from (select * from ${zipsTable} where centroid && county.bbox offset 0) near
           where county_fips is null and st_covers(county.geom, centroid)
         )) as zip
         from (
           select fips, bbox, geom
           from basemap_features c join basemap_shapes on feature_id = c.id and lod = 0
           where ${IS_COUNTY} offset 0) county) covering
       order by zip, fips) found
     where z.zip = found.zip`,
  );
  await db.query(
    `update ${zipsTable} z set county_fips = (
       select near.fips
       from (
         select id, fips from basemap_features
         where ${IS_COUNTY} and st_dwithin(bbox, z.centroid, 1) offset 0) near
       cross join lateral (
         select geom from basemap_shapes where feature_id = near.id and lod = 0 offset 0) shape
       order by shape.geom <-> z.centroid, near.fips limit 1)
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
