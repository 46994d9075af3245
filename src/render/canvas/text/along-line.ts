/**
 * Labels that follow a line, glyph by glyph: MapLibre's `symbol/projection.ts` seen from straight
 * above. Pure; all in CSS pixels of the picture.
 */
import type { FlatPoints } from '../../../spatial/flat.ts';

export interface AnchoredLine {
  points: FlatPoints;
  anchor: { x: number; y: number };
  /** Index of the segment on which the anchor lies */
  segment: number;
}

export interface GlyphOnLine {
  /** Of the glyph's middle */
  x: number;
  y: number;
  /** Of the line there, clockwise in radians */
  angle: number;
  /** The vertices from the anchor to the glyph, along the line or beside it at the offset */
  path: FlatPoints;
}

/**
 * The place at a distance from the anchor, negative toward the line's start; null beyond its ends.
 *
 * `offset` moves along the text, and off the line to the right of its direction; a flipped text runs
 * against the line.
 */
export function placeOnLine(
  line: AnchoredLine,
  fromAnchor: number,
  [along, across]: readonly [number, number],
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
  let passed = 0;
  for (;;) {
    index += direction;
    if (index < 0 || 2 * index >= line.points.length) return null;
    const toX = line.points[2 * index]!;
    const toY = line.points[2 * index + 1]!;
    let start: readonly [number, number] = [fromX, fromY];
    let end: readonly [number, number] = [toX, toY];
    if (across !== 0) {
      const normal = normalBetween(line.points, index, direction, [fromX, fromY], across);
      start = Number.isNaN(shiftedX)
        ? [fromX + normal[0], fromY + normal[1]]
        : [shiftedX, shiftedY];
      end = cornerBeside(line.points, index, direction, start, normal, across);
      [shiftedX, shiftedY] = end;
    }
    path.push(...start);
    const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
    if (passed + length > reach) {
      const t = (reach - passed) / length;
      const x = start[0] + t * (end[0] - start[0]);
      const y = start[1] + t * (end[1] - start[1]);
      path.push(x, y);
      const heading = Math.atan2(toY - fromY, toX - fromX);
      // The text's own direction, which is against the walk on the anchor's near side.
      const isAgainst = isForward === isFlipped;
      return { x, y, angle: heading + (isAgainst ? Math.PI : 0), path };
    }
    passed += length;
    [fromX, fromY] = [toX, toY];
  }
}

/** From the line to where the text runs beside it, between a point and the vertex `index`. */
function normalBetween(
  points: FlatPoints,
  index: number,
  direction: 1 | -1,
  [fromX, fromY]: readonly [number, number],
  across: number,
): readonly [number, number] {
  let dx = points[2 * index]! - fromX;
  let dy = points[2 * index + 1]! - fromY;
  if (dx === 0 && dy === 0) {
    // The anchor is the vertex itself.
    const next = index + direction;
    dx = (points[2 * next] ?? fromX) - fromX;
    dy = (points[2 * next + 1] ?? fromY) - fromY;
  }
  const scale = (across * direction) / Math.hypot(dx, dy);
  return [-dy * scale, dx * scale];
}

/** Where the text turns beside the vertex `index`: the offset segments, drawn out, meet there. */
function cornerBeside(
  points: FlatPoints,
  index: number,
  direction: 1 | -1,
  start: readonly [number, number],
  normal: readonly [number, number],
  across: number,
): readonly [number, number] {
  const x = points[2 * index]!;
  const y = points[2 * index + 1]!;
  const beside = [x + normal[0], y + normal[1]] as const;
  const next = index + direction;
  if (next < 0 || 2 * next >= points.length) return beside;
  const nextX = points[2 * next]!;
  const nextY = points[2 * next + 1]!;
  const nextNormal = normalBetween(points, next, direction, [x, y], across);
  const met = intersection(
    start,
    beside,
    [x + nextNormal[0], y + nextNormal[1]],
    [nextX + nextNormal[0], nextY + nextNormal[1]],
  );
  // A line that turns straight back has its meeting point anywhere but for rounding.
  const sameWay = (normal[0] * nextNormal[0] + normal[1] * nextNormal[1]) / across ** 2;
  return met === null || sameWay < STRAIGHT_BACK ? beside : met;
}

/** Cosine of a turn right back, but for rounding. */
const STRAIGHT_BACK = -1 + 1e-9;

/** Of the straight lines through a, b and c, d; null where they are parallel. */
function intersection(
  a: readonly [number, number],
  b: readonly [number, number],
  c: readonly [number, number],
  d: readonly [number, number],
): readonly [number, number] | null {
  const [abX, abY] = [b[0] - a[0], b[1] - a[1]];
  const [cdX, cdY] = [d[0] - c[0], d[1] - c[1]];
  const cross = abX * cdY - abY * cdX;
  if (cross === 0) return null;
  const t = ((c[0] - a[0]) * cdY - (c[1] - a[1]) * cdX) / cross;
  return [a[0] + t * abX, a[1] + t * abY];
}
