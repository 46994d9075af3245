/** Convex hulls of positions, in the plane of longitude and latitude. */
import { areaUnderSideM2 } from './ellipsoid-area.ts';

/**
 * Returns the convex hull, counterclockwise, without repeating the first position at the end (Andrew's
 * monotone chain).
 * @param positions longitude, latitude, longitude, …
 */
export function convexHull(positions: Float64Array): Float64Array<ArrayBuffer> {
  const outer = withoutInner(positions);
  const order = Uint32Array.from({ length: outer.length / 2 }, (_, i) => 2 * i).sort(
    (a, b) => outer[a]! - outer[b]! || outer[a + 1]! - outer[b + 1]!,
  );
  const hull = new Float64Array(2 * outer.length + 4);
  let size = 0;
  const turnsRight = (at: number) => {
    const x1 = hull[size - 4]!;
    const y1 = hull[size - 3]!;
    return (
      (hull[size - 2]! - x1) * (outer[at + 1]! - y1) <= (hull[size - 1]! - y1) * (outer[at]! - x1)
    );
  };
  const walk = (from: number, at: number) => {
    while (size - from >= 4 && turnsRight(at)) size -= 2;
    hull[size++] = outer[at]!;
    hull[size++] = outer[at + 1]!;
  };
  for (const at of order) walk(0, at);
  size = Math.max(0, size - 2); // the last position begins the way back
  const back = size;
  for (const at of order.reverse()) walk(back, at);
  return hull.slice(0, Math.max(2, size - 2));
}

/**
 * Removes positions inside the polygon of the outermost positions in eight directions (Akl and Toussaint).
 * This leaves few positions of a large territory to sort.
 */
function withoutInner(positions: Float64Array): Float64Array {
  if (positions.length < 200) return positions;
  const corners = Array.from({ length: 8 }, (_, i) => {
    const [dx, dy] = [Math.cos((i * Math.PI) / 4), Math.sin((i * Math.PI) / 4)];
    let best = 0;
    let farthest = -Infinity;
    for (let at = 0; at < positions.length; at += 2) {
      const distance = dx * positions[at]! + dy * positions[at + 1]!;
      if (distance > farthest) [best, farthest] = [at, distance];
    }
    return [positions[best]!, positions[best + 1]!] as const;
  });
  const sides = corners
    .map(([x, y], i) => [x, y, ...corners[(i + 1) % 8]!] as const)
    .filter(([x1, y1, x2, y2]) => x1 !== x2 || y1 !== y2);
  const kept = new Float64Array(positions.length);
  let size = 0;
  for (let at = 0; at < positions.length; at += 2) {
    const [x, y] = [positions[at]!, positions[at + 1]!];
    let inside = true;
    for (const [x1, y1, x2, y2] of sides)
      if ((x2 - x1) * (y - y1) <= (y2 - y1) * (x - x1)) {
        inside = false;
        break;
      }
    if (inside) continue;
    kept[size++] = x;
    kept[size++] = y;
  }
  return kept.subarray(0, size);
}

/** Returns the area of a ring in square meters, negative if it's clockwise. The ring may be open or closed. */
export function ringAreaM2(ring: Float64Array): number {
  let area = 0;
  let from = ring.length - 2;
  for (let at = 0; at < ring.length; at += 2) {
    area -= areaUnderSideM2(ring[from]!, ring[from + 1]!, ring[at]!, ring[at + 1]!);
    from = at;
  }
  return area;
}

/** Concatenates the arrays. */
export function concat(parts: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
