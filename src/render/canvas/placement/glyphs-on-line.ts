/**
 * Places the glyphs of a label along a line: MapLibre's `symbol/projection.ts` without pitch. Pure; in
 * CSS pixels of the picture.
 */
import type { FlatPoints } from '../../../base/spatial/flat.ts';

type Point = readonly [x: number, y: number];

export interface AnchoredLine {
  points: FlatPoints;
  anchor: { x: number; y: number };
  /** Index of the segment on which the anchor lies */
  segment: number;
}

export interface GlyphOnLine {
  /** Middle of the glyph */
  x: number;
  y: number;
  /** Angle of the line there, clockwise in radians */
  angle: number;
  /** Vertices from the anchor to the glyph, along the line or its offset line */
  path: FlatPoints;
}

/**
 * Returns the position at a distance from the anchor, or null beyond the ends of the line.
 *
 * @param fromAnchor negative toward the start of the line
 * @param offset along the text, and away from the line to the right of its direction
 * @param isFlipped whether the text runs against the line
 */
export function placeOnLine(
  line: AnchoredLine,
  fromAnchor: number,
  [along, across]: Point,
  isFlipped: boolean,
): GlyphOnLine | null {
  const target = isFlipped ? fromAnchor - along : fromAnchor + along;
  const isForward = target > 0 !== isFlipped;
  const direction = isForward ? 1 : -1;
  const reach = Math.abs(target);
  const path: FlatPoints = [];

  let index = isForward ? line.segment : line.segment + 1;
  let [fromX, fromY] = [line.anchor.x, line.anchor.y];
  let [shiftedX, shiftedY] = [NaN, NaN];
  let pathLength = 0;
  for (;;) {
    index += direction;
    if (index < 0 || 2 * index >= line.points.length) return null;
    const toX = line.points[2 * index]!;
    const toY = line.points[2 * index + 1]!;
    let start: Point = [fromX, fromY];
    let end: Point = [toX, toY];
    if (across !== 0) {
      const normal = offsetNormal(line.points, index, direction, [fromX, fromY], across);
      start = Number.isNaN(shiftedX)
        ? [fromX + normal[0], fromY + normal[1]]
        : [shiftedX, shiftedY];
      end = offsetCorner(line.points, index, direction, start, normal, across);
      [shiftedX, shiftedY] = end;
    }
    path.push(...start);
    const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
    if (pathLength + length > reach) {
      const t = (reach - pathLength) / length;
      const x = start[0] + t * (end[0] - start[0]);
      const y = start[1] + t * (end[1] - start[1]);
      path.push(x, y);
      const heading = Math.atan2(toY - fromY, toX - fromX);
      // Before the anchor, the walk runs against the direction of the text.
      const isAgainst = isForward === isFlipped;
      return { x, y, angle: heading + (isAgainst ? Math.PI : 0), path };
    }
    pathLength += length;
    [fromX, fromY] = [toX, toY];
  }
}

/** Returns the vector from the line to its offset line, between a point and the vertex `index`. */
function offsetNormal(
  points: FlatPoints,
  index: number,
  direction: 1 | -1,
  [fromX, fromY]: Point,
  across: number,
): Point {
  let dx = points[2 * index]! - fromX;
  let dy = points[2 * index + 1]! - fromY;
  if (dx === 0 && dy === 0) {
    // The anchor is this vertex.
    const next = index + direction;
    dx = (points[2 * next] ?? fromX) - fromX;
    dy = (points[2 * next + 1] ?? fromY) - fromY;
  }
  const scale = (across * direction) / Math.hypot(dx, dy);
  return [-dy * scale, dx * scale];
}

/** Returns the corner of the offset line at the vertex `index`: the intersection of its segments. */
function offsetCorner(
  points: FlatPoints,
  index: number,
  direction: 1 | -1,
  start: Point,
  normal: Point,
  across: number,
): Point {
  const x = points[2 * index]!;
  const y = points[2 * index + 1]!;
  const corner = [x + normal[0], y + normal[1]] as const;
  const next = index + direction;
  if (next < 0 || 2 * next >= points.length) return corner;
  const nextX = points[2 * next]!;
  const nextY = points[2 * next + 1]!;
  const nextNormal = offsetNormal(points, next, direction, [x, y], across);
  const crossing = intersection(
    start,
    corner,
    [x + nextNormal[0], y + nextNormal[1]],
    [nextX + nextNormal[0], nextY + nextNormal[1]],
  );
  // Where a line reverses, rounding makes the intersection arbitrary.
  const cosine = (normal[0] * nextNormal[0] + normal[1] * nextNormal[1]) / across ** 2;
  return crossing === null || cosine < REVERSAL_COSINE ? corner : crossing;
}

/** Cosine of a reversal, with a tolerance for rounding */
const REVERSAL_COSINE = -1 + 1e-9;

/** Returns where the lines through a, b and c, d intersect; null if they are parallel. */
function intersection(a: Point, b: Point, c: Point, d: Point): Point | null {
  const [abX, abY] = [b[0] - a[0], b[1] - a[1]];
  const [cdX, cdY] = [d[0] - c[0], d[1] - c[1]];
  const cross = abX * cdY - abY * cdX;
  if (cross === 0) return null;
  const t = ((c[0] - a[0]) * cdY - (c[1] - a[1]) * cdX) / cross;
  return [a[0] + t * abX, a[1] + t * abY];
}
