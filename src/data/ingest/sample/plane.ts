/**
 * The plane of the sample's polygons: longitude and latitude in whole microdegrees (0.1 m). Whole numbers
 * make orientation tests exact, and borders shared by two polygons identical.
 */
import { group as groupBy } from 'd3-array';

export type Point = readonly [x: number, y: number];

/** Closed without repeating the first point. The inside is on the left of outer rings and holes. */
export type Ring = readonly Point[];

export const MICRODEGREES = 1e6;

/** Converts from degrees. The Aleutians beyond the antimeridian continue below -180. */
export function toPlane([lng, lat]: readonly number[]): Point {
  const unwrapped = lng! > 0 ? lng! - 360 : lng!;
  return [Math.round(unwrapped * MICRODEGREES), Math.round(lat! * MICRODEGREES)];
}

/** Converts to degrees. The division is exact to six decimals. */
export function toDegrees([x, y]: Point): [lng: number, lat: number] {
  const lng = x / MICRODEGREES;
  return [lng < -180 ? (x + 360 * MICRODEGREES) / MICRODEGREES : lng, y / MICRODEGREES];
}

/** Positive if `c` is left of the line from `a` to `b`; twice the triangle's area. */
export function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/**
 * Returns where `a`-`b` and `p`-`q` cross, as a position along each (0..1), or `null` if they don't. A
 * point on the other line counts as left of it, so that a path through a vertex of another path crosses it
 * exactly once.
 */
export function crossing(
  a: Point,
  b: Point,
  p: Point,
  q: Point,
): { onAB: number; onPQ: number } | null {
  const [pTurn, qTurn] = [turn(a, b, p), turn(a, b, q)];
  if (pTurn >= 0 === qTurn >= 0) return null;
  const [aTurn, bTurn] = [turn(p, q, a), turn(p, q, b)];
  if (aTurn >= 0 === bTurn >= 0) return null;
  return { onAB: aTurn / (aTurn - bTurn), onPQ: pTurn / (pTurn - qTurn) };
}

/** Positive if counterclockwise; square microdegrees. */
export function ringArea(ring: Ring): number {
  let doubled = 0;
  const origin = ring[0]!;
  for (let i = 1; i + 1 < ring.length; i++) doubled += turn(origin, ring[i]!, ring[i + 1]!);
  return doubled / 2;
}

/**
 * Splits a closed path into simple rings: where it returns to a point, the part in between is a separate
 * ring. Drops parts without area: repeated points, spikes, and islets that quantization flattened to a
 * line.
 */
export function simpleRings(closed: readonly Point[]): Ring[] {
  const rings: Ring[] = [];
  const path: Point[] = [];
  const [x0, y0] = closed[0] ?? [0, 0];
  // Numbers, because texts as keys take three times as long.
  const keyOf = ([x, y]: Point) => (x - x0) * MAX_SPAN + (y - y0);
  const indexOf = new Map<number, number>();
  for (const point of closed) {
    const key = keyOf(point);
    const start = indexOf.get(key);
    if (start !== undefined) {
      const ring = path.splice(start);
      for (const corner of ring) indexOf.delete(keyOf(corner));
      if (ringArea(ring) !== 0) rings.push(ring);
    }
    indexOf.set(key, path.push(point) - 1);
  }
  return rings;
}

/** Keys are exact and unique for paths that span less than 67 degrees in each direction. */
const MAX_SPAN = 2 ** 27;

/** Whether a point is inside the rings (outer rings and holes alike), by ray casting. */
export function isInside(point: Point, rings: readonly Ring[]): boolean {
  let inside = false;
  for (const ring of rings) {
    let a = ring.at(-1)!;
    for (const b of ring) {
      if (a[1] > point[1] !== b[1] > point[1]) {
        const isLeft = turn(a, b, point) > 0;
        if (isLeft === b[1] > a[1]) inside = !inside;
      }
      a = b;
    }
  }
  return inside;
}

export const samePoint = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1];

export const pointKey = (p: Point): string => `${p[0]},${p[1]}`;

/**
 * Links directed pieces end to start into rings. If several pieces start at one point, any of them may
 * follow: `simpleRings` splits the path later.
 */
export function linkIntoRings(pieces: readonly (readonly Point[])[]): Ring[] {
  const byStart = groupBy(pieces, (piece) => pointKey(piece[0]!));
  const rings: Ring[] = [];
  for (const [start, open] of byStart) {
    while (open.length > 0) {
      const path = [...open.pop()!];
      for (let end = pointKey(path.at(-1)!); end !== start; end = pointKey(path.at(-1)!)) {
        const next = byStart.get(end)?.pop();
        if (!next) throw new Error(`an outline ends at ${end}`);
        path.push(...next.slice(1));
      }
      rings.push(...simpleRings(path));
    }
  }
  return rings;
}
