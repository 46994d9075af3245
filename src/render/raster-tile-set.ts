/** The raster tiles that a view needs. */
import type { Viewport } from '../spatial/camera.ts';
import { TILE_SIZE_PX } from '../spatial/mercator.ts';
import type { TileAddress } from '../spatial/tile.ts';
import type { RasterTileSet } from './scene.ts';
import { tilesAtZoom } from './vector-tiles.ts';

/** Zoom of the tiles whose pixels come closest to those of the picture. */
export function rasterTileZoom(
  { zoom }: Pick<Viewport, 'zoom'>,
  { maxzoom, tileSize }: Pick<RasterTileSet, 'maxzoom' | 'tileSize'>,
): number {
  return Math.min(maxzoom, Math.max(0, Math.round(zoom + Math.log2(TILE_SIZE_PX / tileSize))));
}

/** How many zooms above it a missing tile may be shown enlarged from, as in MapLibre */
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
  viewport: Viewport,
  tileSet: Pick<RasterTileSet, 'minzoom' | 'maxzoom' | 'tileSize'>,
): TileAddress[] {
  const z = rasterTileZoom(viewport, tileSet);
  return z < tileSet.minzoom ? [] : tilesAtZoom(viewport, z);
}
