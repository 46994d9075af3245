/** A smooth curve through given points. */
import type { Position } from 'geojson';

type Vector = readonly [x: number, y: number];

/** Pieces between two points */
const PIECES = 6;

/**
 * Centripetal Catmull-Rom spline (Barry and Goldman's recursion). It passes through every point
 * and, unlike a uniform one, makes no loops where points are unevenly spaced.
 * @param points at least two; the curve is closed if the last equals the first
 */
export function smoothCurve(points: readonly Vector[]): Position[] {
  const [first, last] = [points[0]!, points.at(-1)!];
  const isClosed = first[0] === last[0] && first[1] === last[1];
  const before = isClosed ? points.at(-2)! : mirror(points[1]!, first);
  const after = isClosed ? points[1]! : mirror(points.at(-2)!, last);
  const controls = [before, ...points, after];

  const curve: Position[] = [roundPosition(first)];
  for (let i = 1; i + 2 < controls.length; i++) {
    const [p0, p1, p2, p3] = controls.slice(i - 1, i + 3) as [Vector, Vector, Vector, Vector];
    for (let piece = 1; piece < PIECES; piece++) {
      curve.push(roundPosition(pointBetween(p0, p1, p2, p3, piece / PIECES)));
    }
    curve.push(roundPosition(p2));
  }
  return curve;
}

/** Returns the point at `share` of the way from `p1` to `p2`. */
function pointBetween(p0: Vector, p1: Vector, p2: Vector, p3: Vector, share: number): Vector {
  const t0 = 0;
  const t1 = t0 + knot(p0, p1);
  const t2 = t1 + knot(p1, p2);
  const t3 = t2 + knot(p2, p3);
  const t = t1 + share * (t2 - t1);
  const a1 = blend(p0, p1, t0, t1, t);
  const a2 = blend(p1, p2, t1, t2, t);
  const a3 = blend(p2, p3, t2, t3, t);
  return blend(blend(a1, a2, t0, t2, t), blend(a2, a3, t1, t3, t), t1, t2, t);
}

const knot = (p: Vector, q: Vector) => Math.sqrt(Math.hypot(q[0] - p[0], q[1] - p[1]));

function blend(p: Vector, q: Vector, from: number, to: number, t: number): Vector {
  const share = (t - from) / (to - from);
  return [p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])];
}

/** Reflects `point` across `center`. */
const mirror = (point: Vector, center: Vector): Vector => [
  2 * center[0] - point[0],
  2 * center[1] - point[1],
];

const roundPosition = ([x, y]: Vector): Position => [
  Math.round(x * 1e6) / 1e6,
  Math.round(y * 1e6) / 1e6,
];
