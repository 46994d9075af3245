/**
 * Every ZIP of the country as vector tiles, each with its name and place and nothing else: the
 * ground on which members choose ZIPs and see what their brands hold. What a brand holds is told
 * apart from the shapes, so that these are the same for everybody and change with an import alone.
 */
import type { Feature, MultiPolygon } from 'geojson';
import { contentZoom, encodeTile, TILE_MARGIN } from '../basemap/tiles.ts';
import type { Queryable } from '../db/database.ts';
import { labelsInPicture, ZIP_LABEL_RADIUS_PX } from '../basemap/label-features.ts';
import { detailForZoom } from '../spatial/detail.ts';
import { tileBbox, type TileAddress } from '../spatial/tile.ts';
import { readWkb } from '../spatial/wkb.ts';

/** From where the whole country fits on a telephone, to the last zoom of the basemap. */
export const NATIONAL_ZIP_ZOOMS = { minZoom: 2, maxZoom: 12 } as const;

/** Farther out no name of a ZIP has room, nor would anybody point at one. */
const NAMED_FROM_ZOOM = 6;

/** A tile with the layers `zips` and, nearer, `zip-labels`. */
export async function nationalZipTile(db: Queryable, address: TileAddress): Promise<Uint8Array> {
  const isNamed = address.z >= NAMED_FROM_ZOOM;
  const [west, south, east, north] = tileBbox(address, TILE_MARGIN);
  const rows = await db.query<{ zip: string; place: string | null; wkb: Buffer }>(
    `select zip, case when $6 then concat_ws(', ', city, state) end as place,
       st_asbinary(geom, 'NDR') as wkb
     from zips join zip_boundaries b using (zip)
     where bbox && st_makeenvelope($1, $2, $3, $4, 4326) and b.lod = $5
     order by zip`,
    [west, south, east, north, detailForZoom(address.z), isNamed],
  );
  const zips = rows.map(({ zip, place, wkb }): Feature<MultiPolygon> => ({
    type: 'Feature',
    properties: { zip, ...(place && { place }) },
    geometry: readWkb(wkb) as MultiPolygon,
  }));
  if (!isNamed) return encodeTile(address, { zips });
  const labels = labelsInPicture(
    contentZoom(address, NATIONAL_ZIP_ZOOMS),
    zips,
    ZIP_LABEL_RADIUS_PX,
  );
  return encodeTile(address, { zips, 'zip-labels': labels });
}
