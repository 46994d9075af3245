/** The ZIPs of a share as GeoJSON (RFC 7946): what a page needs to draw them itself. */
import type { MultiPolygon } from 'geojson';
import type { Queryable } from '../db/database.ts';
import { placedZips } from '../market/zips.ts';
import { bboxAround, type Bbox } from '../spatial/bbox.ts';
import { fitBbox } from '../spatial/camera.ts';
import { DETAIL_LEVELS, detailForZoom } from '../spatial/detail.ts';
import { sharedFeature, type SharedFeature, type SharedZip } from '../spatial/shared-zip.ts';

/** A map on a page, in CSS pixels */
const PAGE = { width: 1024, height: 768 };
const NO_PADDING = { top: 0, right: 0, bottom: 0, left: 0 };
/** Who looks at the whole territory will look nearer: at a state's territory down to a metro's. */
const NEARER_ZOOMS = 2;

/**
 * A feature for each ZIP, in order, without geometry where it has no boundary.
 * @param zoom of the map that they are for, of a world 512 pixels wide at zoom 0; left out: two
 *   zooms nearer than the one that shows them all, so that a metro's are at full detail and a
 *   country's are not
 * @returns a FeatureCollection as JSON
 */
export async function boundariesJson(
  db: Queryable,
  zips: readonly SharedZip[],
  zoom?: number,
): Promise<string> {
  const codes = zips.map(({ zip }) => zip);
  const placed = await placedZips(db, codes);
  const bbox = placed.length > 0 ? bboxAround(placed.map((zip) => zip.bbox)) : undefined;
  const shapes = bbox && (await shapesOf(db, codes, detailForZoom(zoom ?? zoomToShow(bbox))));
  const features: SharedFeature[] = zips.map((shared) =>
    sharedFeature(shared, shapes?.get(shared.zip) ?? null),
  );
  return JSON.stringify({ type: 'FeatureCollection', ...(bbox && { bbox }), features });
}

function zoomToShow(bbox: Bbox): number {
  return fitBbox(bbox, PAGE.width, PAGE.height, NO_PADDING).zoom + NEARER_ZOOMS;
}

/** Counter-clockwise and in steps of a quarter of the tolerance at most, the same for neighbours. */
async function shapesOf(
  db: Queryable,
  zips: readonly string[],
  lod: number,
): Promise<Map<string, MultiPolygon>> {
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
  return new Map(rows.map(({ zip, geojson }) => [zip, JSON.parse(geojson) as MultiPolygon]));
}

const METRES_PER_DEGREE = 111_320;

const decimalsOf = (lod: number) =>
  Math.ceil(Math.log10((4 * METRES_PER_DEGREE) / DETAIL_LEVELS[lod]!.toleranceM));
