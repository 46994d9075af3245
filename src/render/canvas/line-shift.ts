/** Outlines of lines moved sideways or made longer. Pure. */
import { signedAreaPx, type FlatPoints } from '../../spatial/flat.ts';
import { pathData } from './path.ts';
import type { ScreenFeature } from './screen-feature.ts';

export type LineJoin = 'bevel' | 'round' | 'miter';

export interface LineShift {
  /** To the right of the line's direction; into a polygon */
  offsetPx: number;
  /** By which both ends of an open line grow */
  extendPx: number;
  join: LineJoin;
  miterLimit: number;
}

/** Below this MapLibre replaces a round join by a mitre: `line-round-limit` by default. */
const ROUND_LIMIT = 1.05;

export function shiftedPathData(
  { polygons, lines }: Pick<ScreenFeature, 'polygons' | 'lines'>,
  shift: LineShift,
): string {
  const rings = polygons.map((rings) =>
    rings.map((ring, index) => {
      // To the right is inside for an outer ring that runs clockwise, and for a hole that does not.
      const isBackward = signedAreaPx(ring) > 0 !== (index === 0);
      const offsetPx = isBackward ? -shift.offsetPx : shift.offsetPx;
      return offsetPoints(ring, { ...shift, offsetPx }, true);
    }),
  );
  const moved = lines.map((line) => extended(offsetPoints(line, shift, false), shift.extendPx));
  return pathData(rings, moved);
}

function offsetPoints(points: FlatPoints, shift: LineShift, isClosed: boolean): FlatPoints {
  if (shift.offsetPx === 0) return points;
  const distinct = withoutRepeats(points, isClosed);
  const count = distinct.length / 2;
  if (count < 2) return points;
  const segments = Array.from({ length: isClosed ? count : count - 1 }, (_, i) =>
    segmentAt(distinct, i, (i + 1) % count),
  );
  const moved: FlatPoints = [];
  for (let i = 0; i < count; i++) {
    const before = segments[isClosed ? (i + count - 1) % count : i - 1];
    const after = segments[i];
    const x = distinct[2 * i]!;
    const y = distinct[2 * i + 1]!;
    if (before !== undefined && after !== undefined) addCorner(moved, x, y, before, after, shift);
    else addMoved(moved, x, y, before ?? after!, shift.offsetPx);
  }
  return moved;
}

function withoutRepeats(points: FlatPoints, isClosed: boolean): FlatPoints {
  const distinct: FlatPoints = [];
  for (let i = 0; i < points.length; i += 2) {
    if (points[i] !== distinct.at(-2) || points[i + 1] !== distinct.at(-1)) {
      distinct.push(points[i]!, points[i + 1]!);
    }
  }
  const isRepeatedAtEnd = distinct[0] === distinct.at(-2) && distinct[1] === distinct.at(-1);
  return isClosed && isRepeatedAtEnd ? distinct.slice(0, -2) : distinct;
}

interface Segment {
  lengthPx: number;
  /** Unit vector to the right of its direction */
  normalX: number;
  normalY: number;
}

function segmentAt(points: FlatPoints, from: number, to: number): Segment {
  const dx = points[2 * to]! - points[2 * from]!;
  const dy = points[2 * to + 1]! - points[2 * from + 1]!;
  const lengthPx = Math.hypot(dx, dy);
  return { lengthPx, normalX: -dy / lengthPx, normalY: dx / lengthPx };
}

/** Moves a corner: to one point where the moved segments meet, else from one to the other. */
function addCorner(
  moved: FlatPoints,
  x: number,
  y: number,
  before: Segment,
  after: Segment,
  { offsetPx, join, miterLimit }: LineShift,
): void {
  const cos = before.normalX * after.normalX + before.normalY * after.normalY;
  const sin = before.normalX * after.normalY - before.normalY * after.normalX;
  const miterLength = Math.sqrt(2 / (1 + cos));
  // On the inner side the moved segments are cut off where they cross, if they are long enough.
  const cutPx = Math.abs(offsetPx) * Math.sqrt(Math.max(0, miterLength ** 2 - 1));
  const meet =
    sin * offsetPx > 0
      ? cutPx <= Math.min(before.lengthPx, after.lengthPx)
      : miterLength < ROUND_LIMIT || (join === 'miter' && miterLength <= miterLimit);
  if (meet) {
    const reachPx = offsetPx / (1 + cos);
    moved.push(
      x + reachPx * (before.normalX + after.normalX),
      y + reachPx * (before.normalY + after.normalY),
    );
    return;
  }
  addMoved(moved, x, y, before, offsetPx);
  if (join === 'round' && sin * offsetPx <= 0) {
    const from = Math.atan2(before.normalY, before.normalX);
    const turn = Math.atan2(sin, cos);
    // Chords that stay within an eighth of a pixel of the arc
    const count = Math.ceil(Math.abs(turn) * Math.sqrt(Math.abs(offsetPx)));
    for (let i = 1; i < count; i++) {
      const angle = from + (turn * i) / count;
      moved.push(x + offsetPx * Math.cos(angle), y + offsetPx * Math.sin(angle));
    }
  }
  addMoved(moved, x, y, after, offsetPx);
}

function addMoved(moved: FlatPoints, x: number, y: number, side: Segment, offsetPx: number): void {
  moved.push(x + offsetPx * side.normalX, y + offsetPx * side.normalY);
}

function extended(line: FlatPoints, byPx: number): FlatPoints {
  const last = line.length / 2 - 1;
  if (byPx === 0 || last < 1) return line;
  const first = segmentAt(line, 0, 1);
  const final = segmentAt(line, last - 1, last);
  // A right normal turned right points backward along the line, turned left forward.
  const longer = [...line];
  longer[0]! -= first.normalY * byPx;
  longer[1]! += first.normalX * byPx;
  longer[2 * last]! += final.normalY * byPx;
  longer[2 * last + 1]! -= final.normalX * byPx;
  return longer;
}
