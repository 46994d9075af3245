/** Shared ZIP codes as vector tiles, for large territories. */
import type { MultiPolygon } from 'geojson';
import { contentZoom, encodeTile, TILE_MARGIN } from '../../data/basemap/tiles.ts';
import type { Queryable } from '../../base/db/database.ts';
import { labelsInPicture, ZIP_LABEL_RADIUS_PX } from '../../data/basemap/label-features.ts';
import { zipShapesIn } from '../../data/market/zips.ts';
import { detailForZoom } from '../../base/spatial/detail.ts';
import {
  sharedFeature,
  sharedLabel,
  type SharedFeature,
  type SharedLabel,
  type SharedLabelFeature,
  type SharedZip,
} from './shared-zip.ts';
import { tileBbox, type TileAddress } from '../../base/spatial/tile.ts';

/** The same zooms as the tiles of launched metros, `scoreTiles` */
export const SHARE_ZOOMS = { minZoom: 3, maxZoom: 12 } as const;

/** Returns a tile with the layers `zips` and `zip-labels`, empty if it contains no ZIP code. */
export async function shareTile(
  db: Queryable,
  zips: readonly SharedZip[],
  address: TileAddress,
): Promise<Uint8Array> {
  // Not clipped, because a label goes where the whole ZIP code has the most room.
  const shapes = await zipShapesIn(
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
