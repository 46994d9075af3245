/**
 * Finds the next of several points in the direction of an arrow key. Coordinates are longitude and
 * latitude. Pure.
 */

export type Direction = 'up' | 'down' | 'left' | 'right';

/** Points by index. A point without a position has NaN. */
export interface Points {
  lon: ArrayLike<number>;
  lat: ArrayLike<number>;
}

/** Returns the nearest point within 45° of an arrow key's direction, or null if there is none */
export function pointTowards(
  { lon, lat }: Points,
  from: number,
  direction: Direction,
): number | null {
  const [x, y] = [lon[from]!, lat[from]!];
  const scale = Math.cos((y * Math.PI) / 180);
  let best: number | null = null;
  let nearest = Infinity;
  for (let i = 0; i < lon.length; i++) {
    const east = (lon[i]! - x) * scale;
    const north = lat[i]! - y;
    const [along, across] = {
      up: [north, east],
      down: [-north, east],
      right: [east, north],
      left: [-east, north],
    }[direction] as [number, number];
    // Points straight ahead are preferred to points at the side.
    const cost = along + 2 * Math.abs(across);
    if (i === from || !(along > 0) || Math.abs(across) > along || cost >= nearest) continue;
    nearest = cost;
    best = i;
  }
  return best;
}

/** Returns null if there are no points. */
export function nearestPoint(
  { lon, lat }: Points,
  { lng: x, lat: y }: { lng: number; lat: number },
): number | null {
  const scale = Math.cos((y * Math.PI) / 180);
  let best: number | null = null;
  let least = Infinity;
  for (let i = 0; i < lon.length; i++) {
    const distance = Math.hypot((lon[i]! - x) * scale, lat[i]! - y);
    if (!(distance < least)) continue;
    least = distance;
    best = i;
  }
  return best;
}
