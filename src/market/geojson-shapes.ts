/** Boundaries of ZIPs as GeoJSON (RFC 7946), for whoever draws them elsewhere. */
import type { Queryable } from '../db/database.ts';
import { DETAIL_LEVELS } from '../spatial/detail.ts';

/**
 * Counter-clockwise outside, clockwise inside, and in steps of a quarter of the level's tolerance at
 * most, the same for neighbours.
 * @param lod level of detail of `spatial/detail.ts`
 * @returns the text of a MultiPolygon by ZIP; a ZIP without a boundary is missing
 */
export async function geoJsonShapes(
  db: Queryable,
  zips: readonly string[],
  lod: number,
): Promise<Map<string, string>> {
  // Rounding may make a ring cross itself. Few do, and checking costs less than mending.
  const rows = await db.query<{ zip: string; geojson: string }>(
    `select zip, st_asgeojson(st_multi(st_forcepolygonccw(case
         when st_isvalid(rounded) then rounded
         else st_collectionextract(st_makevalid(rounded, 'method=structure'), 3) end)), $3) as geojson
     from zip_boundaries, lateral (
       select st_snaptogrid(geom, 10.0 ^ -$3::int) as rounded offset 0) r
     where zip = any($1) and lod = $2 and not st_isempty(rounded)`,
    [zips, lod, decimalsOf(lod)],
  );
  return new Map(rows.map(({ zip, geojson }) => [zip, geojson]));
}

const METRES_PER_DEGREE = 111_320;

const decimalsOf = (lod: number) =>
  Math.ceil(Math.log10((4 * METRES_PER_DEGREE) / DETAIL_LEVELS[lod]!.toleranceM));
