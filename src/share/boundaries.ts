/** The ZIPs of a share as GeoJSON (RFC 7946): what a page needs to draw them itself. */
import type { MultiPolygon } from 'geojson';
import type { Queryable } from '../db/database.ts';
import { geoJsonShapes } from '../market/geojson-shapes.ts';
import { placedZips } from '../market/zips.ts';
import { bboxAround, type Bbox } from '../spatial/bbox.ts';
import { fitBbox } from '../spatial/camera.ts';
import { detailForZoom } from '../spatial/detail.ts';
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
  const lod = bbox && detailForZoom(zoom ?? zoomToShow(bbox));
  const shapes = lod === undefined ? undefined : await geoJsonShapes(db, codes, lod);
  const features: SharedFeature[] = zips.map((shared) =>
    sharedFeature(shared, parsed(shapes?.get(shared.zip))),
  );
  return JSON.stringify({ type: 'FeatureCollection', ...(bbox && { bbox }), features });
}

const parsed = (shape: string | undefined) =>
  shape === undefined ? null : (JSON.parse(shape) as MultiPolygon);

function zoomToShow(bbox: Bbox): number {
  return fitBbox(bbox, PAGE.width, PAGE.height, NO_PADDING).zoom + NEARER_ZOOMS;
}
