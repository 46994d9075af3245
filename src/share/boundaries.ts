/** The boundaries of shared ZIP codes as GeoJSON (RFC 7946). */
import type { MultiPolygon } from 'geojson';
import type { Queryable } from '../db/database.ts';
import { geoJsonShapes } from '../market/geojson-shapes.ts';
import { placedZips } from '../market/zips.ts';
import { bboxAround, type Bbox } from '../spatial/bbox.ts';
import { fitBbox } from '../spatial/camera.ts';
import { detailForZoom } from '../spatial/detail.ts';
import { sharedFeature, type SharedFeature, type SharedZip } from '../spatial/shared-zip.ts';

/** Size of a typical map on a page, in CSS pixels */
const MAP_SIZE = { width: 1024, height: 768 };
const NO_PADDING = { top: 0, right: 0, bottom: 0, left: 0 };
/** Leaves room to zoom in: in a state's territory, to a metro. */
const EXTRA_ZOOMS = 2;

/**
 * Returns a FeatureCollection as JSON: a feature per ZIP code, in order, with a null geometry if it
 * has no boundary.
 * @param zoom decides the level of detail, as the zoom of a map whose world is 512 pixels wide at
 *   zoom 0. Default: two zooms above the one that shows all ZIP codes, which gives a metro full
 *   detail and the country less
 */
export async function boundariesJson(
  db: Queryable,
  zips: readonly SharedZip[],
  zoom?: number,
): Promise<string> {
  const codes = zips.map(({ zip }) => zip);
  const placed = await placedZips(db, codes);
  const bbox = placed.length > 0 ? bboxAround(placed.map((zip) => zip.bbox)) : undefined;
  const lod = bbox && detailForZoom(zoom ?? zoomThatShows(bbox) + EXTRA_ZOOMS);
  const shapes = lod === undefined ? undefined : await geoJsonShapes(db, codes, lod);
  const features: SharedFeature[] = zips.map((shared) =>
    sharedFeature(shared, parseShape(shapes?.get(shared.zip))),
  );
  return JSON.stringify({ type: 'FeatureCollection', ...(bbox && { bbox }), features });
}

const parseShape = (shape: string | undefined) =>
  shape === undefined ? null : (JSON.parse(shape) as MultiPolygon);

function zoomThatShows(bbox: Bbox): number {
  return fitBbox(bbox, MAP_SIZE.width, MAP_SIZE.height, NO_PADDING).zoom;
}
