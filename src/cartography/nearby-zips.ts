/** ZIP codes around a small territory: outlines and faint labels that show where it is. */
import type { Feature, MultiPolygon } from 'geojson';
import { labelsInPicture, ZIP_LABEL_RADIUS_PX } from '../basemap/label-features.ts';
import type { Queryable } from '../db/database.ts';
import type { Viewport } from '../spatial/camera.ts';
import { readWkb } from '../spatial/wkb.ts';

/** From this zoom, most ZIP codes of a city have room for a label. */
const MIN_ZOOM = 10;

/**
 * Returns the data of the sources `nearby-zips` and `nearby-zip-labels`, empty for a view of a larger area.
 *
 * @param lod level of detail: see `spatial/detail.ts`
 */
export async function nearbyZips(
  db: Queryable,
  viewport: Viewport,
  lod: number,
  territory: readonly string[],
): Promise<Record<'nearby-zips' | 'nearby-zip-labels', Feature[]>> {
  if (viewport.zoom < MIN_ZOOM) return { 'nearby-zips': [], 'nearby-zip-labels': [] };
  const rows = await db.query<{ zip: string; wkb: Buffer }>(
    `select zip, st_asbinary(geom, 'NDR') as wkb
     from zips join zip_boundaries using (zip)
     where bbox && st_makeenvelope($1, $2, $3, $4, 4326) and lod = $5 and zip <> all($6)
     order by zip`,
    [...viewport.bbox(0), lod, territory],
  );
  const zips = rows.map(({ zip, wkb }): Feature<MultiPolygon> => ({
    type: 'Feature',
    properties: { zip },
    geometry: readWkb(wkb) as MultiPolygon,
  }));
  return {
    'nearby-zips': zips,
    'nearby-zip-labels': labelsInPicture(viewport.zoom, zips, ZIP_LABEL_RADIUS_PX),
  };
}
