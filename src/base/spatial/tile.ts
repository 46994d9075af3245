/** Tiles of a web map: at zoom z, the world consists of 2^z by 2^z squares, numbered from the northwest. */
import type { Bbox } from './bbox.ts';
import { latOfMercatorY, lngOfMercatorX, MAX_LATITUDE } from './mercator.ts';

/** The area covered by all tiles of a zoom. */
export const SQUARE_WORLD: Bbox = [-180, -MAX_LATITUDE, 180, MAX_LATITUDE];

/** Integers; `x` and `y` are below `2^z` */
export interface TileAddress {
  z: number;
  x: number;
  y: number;
}

/** The box of a tile. `margin` is added on each side, as a share of the tile's side. */
export function tileBbox({ z, x, y }: TileAddress, margin = 0): Bbox {
  const lng = (column: number) => lngOfMercatorX(column / 2 ** z);
  const lat = (row: number) => latOfMercatorY(row / 2 ** z);
  return [lng(x - margin), lat(y + 1 + margin), lng(x + 1 + margin), lat(y - margin)];
}
