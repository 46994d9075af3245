/** Bounding boxes, for a quick test of what can't intersect. */
import type { Point } from './plane.ts';

export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

export function boxOf(points: readonly Point[]): Box {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const [x, y] of points) {
    box.west = Math.min(box.west, x);
    box.south = Math.min(box.south, y);
    box.east = Math.max(box.east, x);
    box.north = Math.max(box.north, y);
  }
  return box;
}

export const boxHolds = (box: Box, [x, y]: Point): boolean =>
  x >= box.west && x <= box.east && y >= box.south && y <= box.north;

export const boxesMeet = (a: Box, b: Box): boolean =>
  a.west <= b.east && a.east >= b.west && a.south <= b.north && a.north >= b.south;
