/** Finds the distance from ZIP code locations in the water to the land, and a point on the land. */
import type { Bbox } from '../../spatial/bbox.ts';
import { isInside, type Point, type Ring } from './plane.ts';

/** Returns the distance to the nearest border point, in microdegrees of latitude. */
export function distanceToRings(point: Point, rings: readonly Ring[]): number {
  return nearestBorder(point, rings).distance;
}

/** Returns a lower bound of the distance to rings in a box. */
export function distanceToBox([x, y]: Point, [west, south, east, north]: Bbox): number {
  const dx = Math.max(0, west - x, x - east) * shrinkAt(y);
  const dy = Math.max(0, south - y, y - north);
  return 0.999 * Math.hypot(dx, dy); // rounding must not exceed the distance
}

/** Returns a point strictly inside the rings, close to the given one. */
export function moveInside(point: Point, rings: readonly Ring[]): Point {
  const { a, b, foot } = nearestBorder(point, rings);
  const inward = [a[1] - b[1], b[0] - a[0]] as const; // the inside is on the left
  const length = Math.hypot(...inward);
  // Start slightly off the corner, because even a short step in front of a sharp corner may end outside.
  const start = [0, 1].map((axis) => foot[axis]! * 0.9 + ((a[axis]! + b[axis]!) / 2) * 0.1);
  for (let step = 2000; step > 1; step /= 2) {
    const moved: Point = [
      Math.round(start[0]! + (inward[0] / length) * step),
      Math.round(start[1]! + (inward[1] / length) * step),
    ];
    if (isInside(moved, rings)) return moved;
  }
  throw new Error(`no land found near ${point.join()}`);
}

interface BorderPoint {
  distance: number;
  /** The side of the ring that contains it, and its position */
  a: Point;
  b: Point;
  foot: Point;
}

function nearestBorder(point: Point, rings: readonly Ring[]): BorderPoint {
  const shrink = shrinkAt(point[1]);
  let nearest: BorderPoint = { distance: Infinity, a: point, b: point, foot: point };
  for (const ring of rings) {
    let a = ring.at(-1)!;
    for (const b of ring) {
      const [dx, dy] = [(b[0] - a[0]) * shrink, b[1] - a[1]];
      const [px, py] = [(point[0] - a[0]) * shrink, point[1] - a[1]];
      const along = Math.max(0, Math.min(1, (px * dx + py * dy) / (dx * dx + dy * dy)));
      const distance = Math.hypot(px - along * dx, py - along * dy);
      if (distance < nearest.distance) {
        const foot: Point = [a[0] + along * (b[0] - a[0]), a[1] + along * dy];
        nearest = { distance, a, b, foot };
      }
      a = b;
    }
  }
  return nearest;
}

/** Length of a degree of longitude, in degrees of latitude */
const shrinkAt = (y: number) => Math.cos((y / 1e6) * (Math.PI / 180));
