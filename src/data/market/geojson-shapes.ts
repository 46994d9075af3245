/** Boundaries of ZIP codes as GeoJSON (RFC 7946), for clients and exports. */
import type { Queryable } from '../../base/db/database.ts';
import { DETAIL_LEVELS } from '../../base/spatial/detail.ts';

/**
 * Loads boundaries as GeoJSON text. Outer rings are counterclockwise, holes are clockwise. Coordinates are
 * rounded to at most a quarter of the level's tolerance, in the same way for neighbors.
 *
 * @param lod level of detail: see `base/spatial/detail.ts`
 * @returns the text of a valid MultiPolygon with an area by ZIP code; ZIP codes without a boundary are
 *   missing
 */
export async function geoJsonShapes(
  db: Queryable,
  zips: readonly string[],
  lod: number,
): Promise<Map<string, string>> {
  // 1. Neighbors that are rounded alike remain neighbors.
  // 2. Rounding can make a ring cross itself. Few do, and validating is cheaper than repairing all. The check
  //    reads the numbers of the output, because a vertex on a side could end up on either side of it.
  // 3. repaired: on the same grid, without parts that collapse to a line.
  // 4. A ZIP code that collapses entirely, such as a campus, keeps the decimals of the import.
  const rows = await db.query<{ zip: string; geojson: string }>(
    `select zip, case
       when is_valid then rounded
       when st_isempty(repaired)
         then st_asgeojson(st_multi(st_forcepolygonccw(geom)), ${IMPORTED_DECIMALS})
       else st_asgeojson(st_multi(st_forcepolygonccw(repaired)), $3) end as geojson
     from zip_boundaries,
     lateral (select st_asgeojson(
       st_multi(st_forcepolygonccw(st_snaptogrid(geom, 10.0 ^ -$3::int))), $3) as rounded offset 0) r,
     lateral (select st_geomfromgeojson(rounded) as shape offset 0) p,
     lateral (select st_isvalid(shape) and not st_isempty(shape) as is_valid offset 0) v,
     lateral (select case when not is_valid
       then st_reduceprecision(geom, 10.0 ^ -$3::int) end as repaired offset 0) c
     where zip = any($1) and lod = $2`,
    [zips, lod, decimalsOf(lod)],
  );
  return new Map(rows.map(({ zip, geojson }) => [zip, geojson]));
}

/** Imports round to 1e-6 degrees, before they check shapes. */
const IMPORTED_DECIMALS = 6;

const METERS_PER_DEGREE = 111_320;

const decimalsOf = (lod: number) =>
  Math.ceil(Math.log10((4 * METERS_PER_DEGREE) / DETAIL_LEVELS[lod]!.toleranceM));
