/** The boundaries of shared ZIP codes as GeoJSON (RFC 7946). */
import type { MultiPolygon } from 'geojson';
import type { Queryable } from '../../base/db/database.ts';
import { geoJsonShapes } from '../../data/market/geojson-shapes.ts';
import { placedZips } from '../../data/market/zips.ts';
import { bboxAround, type Bbox } from '../../base/spatial/bbox.ts';
import { fitBbox } from '../../base/spatial/camera.ts';
import { detailForZoom } from '../../base/spatial/detail.ts';
import { sharedFeature, type SharedFeature, type SharedZip } from './shared-zip.ts';

/** Size of a typical map on a page, in CSS pixels */
const MAP_SIZE = { width: 1024, height: 768 };
/** Additional detail for zooming in, such as from a state to a metro: by default, and at most */
const EXTRA_ZOOMS = 2;
const MAX_EXTRA_ZOOMS = 4;

/**
 * Returns a FeatureCollection as JSON: one feature per ZIP code, in order. The geometry of a ZIP code
 * without a boundary is null.
 * @param zoom zoom of the map (512-pixel tiles), which determines the level of detail, up to four levels above
 *   the zoom that shows all ZIP codes. Default: two levels above, so a metro gets full detail and the country
 *   gets less
 */
export async function boundariesJson(
  db: Queryable,
  zips: readonly SharedZip[],
  zoom?: number,
): Promise<string> {
  const codes = zips.map(({ zip }) => zip);
  const placed = await placedZips(db, codes);
  const bbox = placed.length > 0 ? bboxAround(placed.map((zip) => zip.bbox)) : undefined;
  const lod = bbox && detailForZoom(zoomOfDetail(bbox, zoom));
  const shapes = lod === undefined ? undefined : await geoJsonShapes(db, codes, lod);
  const features: SharedFeature[] = zips.map((shared) =>
    sharedFeature(shared, parseShape(shapes?.get(shared.zip))),
  );
  return JSON.stringify({ type: 'FeatureCollection', ...(bbox && { bbox }), features });
}

const parseShape = (shape: string | undefined) =>
  shape === undefined ? null : (JSON.parse(shape) as MultiPolygon);

function zoomOfDetail(bbox: Bbox, zoom: number | undefined): number {
  const fitting = fitBbox(bbox, MAP_SIZE.width, MAP_SIZE.height, 0).zoom;
  return zoom === undefined ? fitting + EXTRA_ZOOMS : Math.min(zoom, fitting + MAX_EXTRA_ZOOMS);
}
