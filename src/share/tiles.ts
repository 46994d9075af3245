/** Shared ZIP codes as vector tiles, for large territories. */
import type { MultiPolygon } from 'geojson';
import { contentZoom, encodeTile, TILE_MARGIN } from '../basemap/tiles.ts';
import type { Queryable } from '../db/database.ts';
import { labelsInPicture, ZIP_LABEL_RADIUS_PX } from '../basemap/label-features.ts';
import type { Bbox } from '../spatial/bbox.ts';
import { detailForZoom } from '../spatial/detail.ts';
import {
  sharedFeature,
  sharedLabel,
  type SharedFeature,
  type SharedLabel,
  type SharedLabelFeature,
  type SharedZip,
} from '../spatial/shared-zip.ts';
import { tileBbox, type TileAddress } from '../spatial/tile.ts';
import { readWkb } from '../spatial/wkb.ts';

/** The same zooms as the tiles of launched metros, `scoreTiles` */
export const SHARE_ZOOMS = { minZoom: 3, maxZoom: 12 } as const;

/** Returns a tile with the layers `zips` and `zip-labels`, empty if it contains no ZIP code. */
export async function shareTile(
  db: Queryable,
  zips: readonly SharedZip[],
  address: TileAddress,
): Promise<Uint8Array> {
  const shapes = await shapesIn(
    db,
    zips.map(({ zip }) => zip),
    tileBbox(address, TILE_MARGIN),
    detailForZoom(address.z),
  );
  const features: SharedFeature<MultiPolygon>[] = zips.flatMap((shared) => {
    const shape = shapes.get(shared.zip);
    return shape ? [sharedFeature(shared, shape)] : [];
  });
  const zoom = contentZoom(address, SHARE_ZOOMS);
  const labels: SharedLabelFeature[] = labelsInPicture(zoom, features, ZIP_LABEL_RADIUS_PX).map(
    ({ properties, geometry }) => sharedLabel(properties as SharedLabel, geometry),
  );
  return encodeTile(address, { zips: features, 'zip-labels': labels });
}

/** Returns unclipped boundaries: a label goes where the whole ZIP code has the most room. */
async function shapesIn(
  db: Queryable,
  zips: readonly string[],
  [west, south, east, north]: Bbox,
  lod: number,
): Promise<Map<string, MultiPolygon>> {
  const rows = await db.query<{ zip: string; wkb: Buffer }>(
    `select zip, st_asbinary(geom, 'NDR') as wkb
     from zips join zip_boundaries b using (zip)
     where zip = any($1) and bbox && st_makeenvelope($2, $3, $4, $5, 4326) and b.lod = $6`,
    [zips, west, south, east, north, lod],
  );
  return new Map(rows.map(({ zip, wkb }) => [zip, readWkb(wkb) as MultiPolygon]));
}
