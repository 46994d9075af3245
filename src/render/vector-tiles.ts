/** The vector tiles that a view needs. */
import { coveringTiles, WORLD_COPIES, type CoveringTile } from '../base/spatial/covering-tiles.ts';
import { TILE_SIZE_PX } from '../base/spatial/mercator.ts';
import type { TileAddress } from '../base/spatial/tile.ts';
import type { View3 } from '../base/spatial/view.ts';

/** Plain data, like the rest of a scene. */
export interface TileSet {
  /** Below this zoom, the source shows nothing. */
  minzoom: number;
  /** Above this zoom, the source shows parts of tiles of this zoom. */
  maxzoom: number;
  /** A missing tile is empty. */
  tiles: readonly EncodedTile[];
}

export interface EncodedTile extends TileAddress {
  /**
   * A Mapbox Vector Tile, version 1 or 2, not compressed. It must not change: its features are kept for later scenes
   * that have the same object.
   */
  bytes: Uint8Array;
}

interface Tiling extends Pick<TileSet, 'minzoom' | 'maxzoom'> {
  /** Side at which a tile is shown, in CSS pixels. Default: 512 */
  tileSize?: number;
  /** Default: floor */
  roundZoom?: (zoom: number) => number;
}

/**
 * The tiles visible in a picture, in MapLibre's drawing order: higher zooms first, each north to south,
 * then west to east. Beyond the antimeridian, `x` is outside 0 to 2^z - 1: see `wrapTile`.
 */
export function tilesInView(
  view: View3,
  { minzoom, maxzoom, tileSize = TILE_SIZE_PX, roundZoom = Math.floor }: Tiling,
): CoveringTile[] {
  const centerZoom = view.zoom + Math.log2(TILE_SIZE_PX / tileSize);
  if (!view.isLevel) {
    const tiles = coveringTiles(view, { minzoom, maxzoom, centerZoom, roundZoom });
    return tiles.toSorted((a, b) => b.z - a.z || a.y - b.y || a.x - b.x);
  }
  const shownZoom = Math.max(0, roundZoom(centerZoom));
  const z = Math.min(maxzoom, shownZoom);
  if (z < minzoom) return [];
  const count = 2 ** z;
  const { west, east, north, south } = view.worldEdges();
  // A tile that only touches the picture counts too, because wide lines and circles extend across its edge.
  const fromX = Math.max(-WORLD_COPIES * count, Math.ceil(west * count) - 1);
  const toX = Math.min((WORLD_COPIES + 1) * count - 1, Math.floor(east * count));
  const fromY = Math.max(0, Math.ceil(north * count) - 1);
  const toY = Math.min(count - 1, Math.floor(south * count));
  const tiles: CoveringTile[] = [];
  for (let y = fromY; y <= toY; y++) {
    for (let x = fromX; x <= toX; x++) tiles.push({ z, x, y, shownZoom });
  }
  return tiles;
}

/** MapLibre splits enlarged tiles up to this zoom, 4 below its maximum zoom. */
const LAST_CUT_ZOOM = 18;

/** The tiles in which a source is drawn. Above its last zoom, these are parts of larger tiles. */
export function shownTiles(view: View3, { minzoom, maxzoom }: TileSet): CoveringTile[] {
  return tilesInView(view, { minzoom, maxzoom: Math.max(maxzoom, LAST_CUT_ZOOM) });
}

/** Maps the address of a tile in a copy of the world to the original tile. */
export function wrapTile({ z, x, y }: TileAddress): TileAddress {
  const count = 2 ** z;
  return { z, x: ((x % count) + count) % count, y };
}

/** `z/x/y`, for keys and messages. */
export const tileName = ({ z, x, y }: TileAddress) => `${z}/${x}/${y}`;
