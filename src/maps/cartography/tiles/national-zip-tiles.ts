/**
 * All ZIP codes of the country as vector tiles, for maps on which members choose ZIP codes. Tiles
 * contain only ZIP codes and places, so they are the same for everyone and change only with an import.
 * Pages load the territory of a brand separately.
 */
import type { Feature, MultiPolygon } from 'geojson';
import { contentZoom, encodeTile, TILE_MARGIN } from '../../../data/basemap/tiles.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { labelsInPicture, ZIP_LABEL_RADIUS_PX } from '../../../data/basemap/label-features.ts';
import { detailForZoom } from '../../../base/spatial/detail.ts';
import { tileBbox, type TileAddress } from '../../../base/spatial/tile.ts';
import { readWkb } from '../../../base/spatial/wkb.ts';

/** From the zoom at which the country fits on a phone to the basemap's highest zoom. */
export const NATIONAL_ZIP_ZOOMS = { minZoom: 2, maxZoom: 12 } as const;

/** Below this zoom, ZIP codes are too small to label or point at. */
const LABELS_MIN_ZOOM = 6;

/** Returns a tile with the layers `zips` and, from zoom 6, `zip-labels`. */
export async function nationalZipTile(db: Queryable, address: TileAddress): Promise<Uint8Array> {
  const hasLabels = address.z >= LABELS_MIN_ZOOM;
  const [west, south, east, north] = tileBbox(address, TILE_MARGIN);
  const rows = await db.query<{ zip: string; place: string | null; wkb: Buffer }>(
    `select zip, case when $6 then concat_ws(', ', city, state) end as place,
       st_asbinary(geom, 'NDR') as wkb
     from zips join zip_boundaries b using (zip)
     where bbox && st_makeenvelope($1, $2, $3, $4, 4326) and b.lod = $5
     order by zip`,
    [west, south, east, north, detailForZoom(address.z), hasLabels],
  );
  const zips = rows.map(({ zip, place, wkb }): Feature<MultiPolygon> => ({
    type: 'Feature',
    properties: { zip, ...(place && { place }) },
    geometry: readWkb(wkb) as MultiPolygon,
  }));
  if (!hasLabels) return encodeTile(address, { zips });
  const labels = labelsInPicture(
    contentZoom(address, NATIONAL_ZIP_ZOOMS),
    zips,
    ZIP_LABEL_RADIUS_PX,
  );
  return encodeTile(address, { zips, 'zip-labels': labels });
}
