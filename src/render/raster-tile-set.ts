/** The raster tiles that a view needs. */
import type { TileAddress } from '../base/spatial/tile.ts';
import type { View3 } from '../base/spatial/view.ts';
import type { RasterTileSet } from './scene.ts';
import { tilesInView } from './vector-tiles.ts';

/** A missing tile is replaced by an enlarged tile of up to this many zooms above it, as in MapLibre. */
const MAX_ENLARGEMENT = 10;

/** The larger tiles that contain a tile, the nearest first. */
export function ancestorsOf({ z, x, y }: TileAddress, minzoom: number): TileAddress[] {
  const ancestors: TileAddress[] = [];
  for (let up = 1; up <= MAX_ENLARGEMENT && z - up >= minzoom; up++) {
    ancestors.push({ z: z - up, x: Math.floor(x / 2 ** up), y: Math.floor(y / 2 ** up) });
  }
  return ancestors;
}

/** The tiles visible in a picture. See `tilesInView`. */
export function rasterTilesInView(
  view: View3,
  { minzoom, maxzoom, tileSize }: Pick<RasterTileSet, 'minzoom' | 'maxzoom' | 'tileSize'>,
): TileAddress[] {
  return tilesInView(view, { minzoom, maxzoom, tileSize, roundZoom: Math.round });
}
