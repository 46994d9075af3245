/** Vector tiles of a source: which of them a view needs, and their address in the world. */
import type { Viewport } from '../spatial/camera.ts';
import type { TileAddress } from '../spatial/tile.ts';

export type { TileAddress };

/** Plain data, as all of a scene. */
export interface TileSet {
  /** Below this zoom the source shows nothing. */
  minzoom: number;
  /** Above it parts of the tiles of this zoom show. */
  maxzoom: number;
  /** Where a tile is left out there is nothing. */
  tiles: readonly EncodedTile[];
}

export interface EncodedTile extends TileAddress {
  /** A Mapbox Vector Tile, version 1 or 2, not compressed */
  bytes: Uint8Array;
}

/** As far to either side as MapLibre repeats the world */
export const WORLD_COPIES = 3;

/**
 * The tiles that show in a picture, from the north and from the west. Beyond the antimeridian `x`
 * leaves the range 0 to 2^z - 1: see `withinWorld`.
 */
export function tilesInView(
  viewport: Viewport,
  { minzoom, maxzoom }: Pick<TileSet, 'minzoom' | 'maxzoom'>,
): TileAddress[] {
  const z = Math.min(maxzoom, Math.max(0, Math.floor(viewport.zoom)));
  if (z < minzoom) return [];
  const count = 2 ** z;
  const { west, east, north, south } = viewport.worldEdges();
  // A tile that but touches the picture counts too, as what it holds may reach into it.
  const fromX = Math.max(-WORLD_COPIES * count, Math.ceil(west * count) - 1);
  const toX = Math.min((WORLD_COPIES + 1) * count - 1, Math.floor(east * count));
  const fromY = Math.max(0, Math.ceil(north * count) - 1);
  const toY = Math.min(count - 1, Math.floor(south * count));
  const tiles: TileAddress[] = [];
  for (let y = fromY; y <= toY; y++) {
    for (let x = fromX; x <= toX; x++) tiles.push({ z, x, y });
  }
  return tiles;
}

/** Up to this zoom MapLibre cuts enlarged tiles anew, as if there were tiles: 4 below its greatest. */
const LAST_CUT_ZOOM = 18;

/** The tiles that a source is drawn in: those of its last zoom are cut into such of the view's. */
export function shownTiles(viewport: Viewport, { minzoom, maxzoom }: TileSet): TileAddress[] {
  return tilesInView(viewport, { minzoom, maxzoom: Math.max(maxzoom, LAST_CUT_ZOOM) });
}

/** The tile of the world itself that shows at an address in one of its copies. */
export function withinWorld({ z, x, y }: TileAddress): TileAddress {
  const count = 2 ** z;
  return { z, x: ((x % count) + count) % count, y };
}

/** For maps and messages: `z/x/y` */
export const tileName = ({ z, x, y }: TileAddress) => `${z}/${x}/${y}`;
