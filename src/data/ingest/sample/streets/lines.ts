/** The plane of the city plan, in meters east and north of downtown Dallas, and lines and areas on it. */
import { ascending, pairs, sum } from 'd3-array';
import type { Position } from 'geojson';
import { bboxesMeet, bboxOfPositions, type Bbox } from '../../../../base/spatial/bbox.ts';
import type { FlatPoints } from '../../../../base/spatial/flat.ts';
import { crossing, isInside, type Point } from '../plane.ts';
import { smoothCurve } from '../smooth.ts';

export type { Point };
export type Line = readonly Point[];

/** An area without holes */
export interface Area {
  /** The last point repeats the first. */
  ring: Line;
  bbox: Bbox;
}

const ORIGIN = [-96.8, 32.78] as const;
export const METERS_PER_DEGREE = [93_490, 111_200] as const;

export const toMeters = ([lng, lat]: readonly number[]): Point => [
  (lng! - ORIGIN[0]) * METERS_PER_DEGREE[0],
  (lat! - ORIGIN[1]) * METERS_PER_DEGREE[1],
];

export const toLngLat = ([x, y]: Point): Position => [
  ORIGIN[0] + x / METERS_PER_DEGREE[0],
  ORIGIN[1] + y / METERS_PER_DEGREE[1],
];

export const pointsOf = (flat: FlatPoints): Point[] =>
  Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!]);

/** Rounds the corners of a line. */
export const smooth = (line: Line) => smoothCurve(line) as [number, number][];

/** Returns a curve through places, written as in WKT: `-96.8 32.78, -96.81 32.79`. */
export const curve = (places: string): Line =>
  smooth(places.split(', ').map((place) => toMeters(place.split(' ').map(Number))));

export const areaOf = (points: Line): Area => ({
  ring: [...points, points[0]!],
  bbox: bboxOfPositions(points),
});

/** Returns a parallel line, `meters` to the right of the line's direction. */
export const parallel = (line: Line, meters: number | ((index: number) => number)): Line =>
  line.map(([x, y], i) => {
    const [fromX, fromY] = line[Math.max(0, i - 1)]!;
    const [toX, toY] = line[Math.min(line.length - 1, i + 1)]!;
    const away = typeof meters === 'number' ? meters : meters(i);
    const share = away / Math.hypot(toX - fromX, toY - fromY);
    return [x + (toY - fromY) * share, y - (toX - fromX) * share];
  });

/** Returns the area within `meters` of a line, with flat ends. */
export const strip = (line: Line, meters: number | ((index: number) => number)): Area =>
  areaOf([...parallel(line, meters), ...parallel(line.toReversed(), meters)]);

export const isInAny = (point: Point, areas: readonly Area[]): boolean =>
  areas.some(({ ring, bbox }) => bboxesMeet(bbox, [...point, ...point]) && isInside(point, [ring]));

export const between = (a: Point, b: Point, share: number): Point => [
  a[0] + share * (b[0] - a[0]),
  a[1] + share * (b[1] - a[1]),
];

export const distance = (a: Point, b: Point): number => Math.hypot(b[0] - a[0], b[1] - a[1]);

export const lengthOf = (line: Line): number => sum(pairs(line), ([a, b]) => distance(a, b));

/** Cuts a line where it enters and leaves areas. */
export function cut(line: Line, areas: readonly Area[]): Record<'inside' | 'outside', Line[]> {
  const bbox = bboxOfPositions(line);
  const near = areas.filter((area) => bboxesMeet(area.bbox, bbox));
  if (near.length === 0) return { inside: [], outside: [line] };
  const parts: Record<'inside' | 'outside', Point[][]> = { inside: [], outside: [] };
  let last: keyof typeof parts | undefined;
  const edges = near.flatMap(({ ring }) => pairs(ring));
  for (const [a, b] of pairs(line)) {
    const shares = edges.flatMap(([p, q]) => crossing(a, b, p, q)?.onAB ?? []);
    for (const [from, to] of pairs([0, ...shares.sort(ascending), 1])) {
      const where = isInAny(between(a, b, (from + to) / 2), near) ? 'inside' : 'outside';
      if (where !== last) parts[where].push([between(a, b, from)]);
      parts[where].at(-1)!.push(between(a, b, to));
      last = where;
    }
  }
  return parts;
}

/** Returns where two lines cross, as the indexes of the points before. */
export const meetings = (a: Line, b: Line): [onA: number, onB: number][] =>
  pairs(a).flatMap(([p, q], i) =>
    pairs(b).flatMap(([r, s], j): [number, number][] => (crossing(p, q, r, s) ? [[i, j]] : [])),
  );

/** Returns points at equal distances along a line, from its start. */
export function resample(line: Line, step: number): Line {
  const points = [line[0]!];
  let next = step;
  for (const [a, b] of pairs(line)) {
    const length = distance(a, b);
    for (; next <= length; next += step) points.push(between(a, b, next / length));
    next -= length;
  }
  return points;
}
