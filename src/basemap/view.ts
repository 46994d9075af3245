/** The basemap features in a view. */
import type { Feature } from 'geojson';
import type { Queryable } from '../db/database.ts';
import type { Bbox } from '../spatial/bbox.ts';
import { readWkb } from '../spatial/wkb.ts';
import { BASEMAP_LAYERS, type BasemapLayer, type FeatureFacts } from './features.ts';

/**
 * Returns the features shown at `zoom`, clipped to `bbox`, most important first. Clipping leaves edges
 * along the box, so use a box larger than the visible area.
 *
 * @param lod level of detail: see `spatial/detail.ts`
 */
export async function basemapInView(
  db: Queryable,
  bbox: Bbox,
  zoom: number,
  lod: number,
): Promise<Record<BasemapLayer, Feature[]>> {
  // The index on bbox finds the candidates, and the primary key of the shapes their geometry.
  const rows = await db.query<FeatureFacts & { wkb: Buffer }>(
    `select layer, kind, name, fips, min_zoom as "minZoom", rank, st_asbinary(clipped, 'NDR') as wkb
     from basemap_features f
     join basemap_shapes s on s.feature_id = f.id and s.lod = least($5, f.max_lod),
     lateral (select case
       when f.bbox @ st_makeenvelope($1, $2, $3, $4, 4326) then s.geom
       else st_clipbybox2d(s.geom, st_makeenvelope($1, $2, $3, $4, 4326)) end as clipped) c
     where f.bbox && st_makeenvelope($1, $2, $3, $4, 4326) and f.min_zoom <= $6
       and not st_isempty(clipped)
     order by rank, id`,
    [...bbox, lod, zoom],
  );
  const view = Object.fromEntries(BASEMAP_LAYERS.map((layer) => [layer, [] as Feature[]]));
  for (const { layer, wkb, ...properties } of rows) {
    view[layer]!.push({ type: 'Feature', properties, geometry: readWkb(wkb) });
  }
  return view as Record<BasemapLayer, Feature[]>;
}
