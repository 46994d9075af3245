/** Boundaries of ZIP codes as GeoJSON (RFC 7946), for clients and exports. */
import type { Queryable } from '../db/database.ts';
import { DETAIL_LEVELS } from '../spatial/detail.ts';

/**
 * Loads boundaries as GeoJSON text. Outer rings are counterclockwise, holes clockwise. Coordinates are
 * rounded to at most a quarter of the level's tolerance, identically for neighbors.
 *
 * @param lod level of detail: see `spatial/detail.ts`
 * @returns a MultiPolygon as text by ZIP code; ZIP codes without a boundary are missing
 */
export async function geoJsonShapes(
  db: Queryable,
  zips: readonly string[],
  lod: number,
): Promise<Map<string, string>> {
  // Rounding may make a ring cross itself. Few rings do, and validating is cheaper than repairing all.
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

const METERS_PER_DEGREE = 111_320;

const decimalsOf = (lod: number) =>
  Math.ceil(Math.log10((4 * METERS_PER_DEGREE) / DETAIL_LEVELS[lod]!.toleranceM));
