/** Tiles of a web map: at zoom z, 2^z by 2^z squares of the world, counted from its north-west. */
import type { Bbox } from './bbox.ts';
import { latOfMercatorY, lngOfMercatorX, MAX_LATITUDE } from './mercator.ts';

/** What the tiles of a zoom cover together. */
export const SQUARE_WORLD: Bbox = [-180, -MAX_LATITUDE, 180, MAX_LATITUDE];

/** Whole numbers; `x` and `y` below `2^z` */
export interface TileAddress {
  z: number;
  x: number;
  y: number;
}

/** What a tile covers, and around it `margin` of its side. Beyond the square world, too. */
export function tileBbox({ z, x, y }: TileAddress, margin = 0): Bbox {
  const lng = (column: number) => lngOfMercatorX(column / 2 ** z);
  const lat = (row: number) => latOfMercatorY(row / 2 ** z);
  return [lng(x - margin), lat(y + 1 + margin), lng(x + 1 + margin), lat(y - margin)];
}
