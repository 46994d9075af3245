/**
 * Turns lines into strips of triangles, with joins, caps, and offsets where MapLibre puts them. Strips
 * overlap themselves as they do there, which is visible in translucent lines.
 */
import type { FlatPoints } from '../../../spatial/flat.ts';
import { distance, MAX_MITER, rightNormal, scale, Turn, type Vector } from './line-turn.ts';

export type LineJoin = 'bevel' | 'round' | 'miter';
export type LineCap = 'butt' | 'round' | 'square';

export interface LineForm {
  cap: LineCap;
  join: LineJoin;
  /** Miters longer than this, in line widths, become bevels. */
  miterLimit: number;
  /** Round joins with a shorter miter are drawn as miters: the difference is invisible. */
  roundLimit: number;
}

/**
 * Receives a corner: (x, y), moved by half a line width along `extrude` and by the line's offset along
 * `offset`. `side` is -1 on the left and 1 on the right; `capEnd` is 1 at the end of a round cap.
 */
export type AddCorner = (
  x: number,
  y: number,
  extrude: Vector,
  offset: Vector,
  side: -1 | 1,
  capEnd: 0 | 1,
  alongPx: number,
) => void;

/** Distance from a sharp corner at which a straight cross section keeps dashes from slanting */
const SHARP_CORNER_PX = 15;

/** Miter limit of bevel joins: at smaller turns a bevel is invisible. */
const BEVEL_MITER_LIMIT = 1.05;

/**
 * Passes the corners of a line to `addCorner`, in strip order. A ring does not repeat its first point;
 * a line stays open even if it ends where it starts.
 *
 * @param tileScale CSS pixels per tile pixel
 */
export function meshLine(
  line: FlatPoints,
  isRing: boolean,
  form: LineForm,
  tileScale: number,
  addCorner: AddCorner,
): void {
  const points = distinctPoints(line, isRing);
  if (points.length < (isRing ? 3 : 2)) return;
  new Mesh(form, SHARP_CORNER_PX * tileScale, addCorner).add(points, isRing);
}

/** Drops repeated points, and closes a ring by repeating its first point. */
function distinctPoints(line: FlatPoints, isRing: boolean): Vector[] {
  const points: Vector[] = [];
  const add = (x: number, y: number) => {
    const last = points.at(-1);
    if (last === undefined || last.x !== x || last.y !== y) points.push({ x, y });
  };
  for (let i = 0; i < line.length; i += 2) add(line[i]!, line[i + 1]!);
  if (isRing) add(line[0]!, line[1]!);
  return points;
}

class Mesh {
  private readonly form: LineForm;
  private readonly addCorner: AddCorner;
  private readonly sharpCornerPx: number;
  private alongPx = 0;

  constructor(form: LineForm, sharpCornerPx: number, addCorner: AddCorner) {
    this.form = form;
    this.sharpCornerPx = sharpCornerPx;
    this.addCorner = addCorner;
  }

  add(points: readonly Vector[], isRing: boolean): void {
    const last = points.length - 1;
    let previous: Vector | null = isRing ? points[last - 1]! : null;
    let before: Vector | null = previous === null ? null : rightNormal(previous, points[0]!);
    for (let i = 0; i <= last; i++) {
      const point = points[i]!;
      const next = i < last ? points[i + 1]! : isRing ? points[1]! : null;
      const after = next === null ? before! : rightNormal(point, next);
      const turn = new Turn(before ?? after, after);
      if (previous === null || next === null) {
        if (previous !== null) this.alongPx += distance(previous, point);
        this.addEnd(point, turn, previous === null);
        previous = point;
      } else {
        if (turn.isSharp && i > 0)
          previous = this.addSectionNear(point, previous, turn.before, previous);
        this.alongPx += distance(previous, point);
        this.addJoin(point, turn);
        previous =
          turn.isSharp && i < last ? this.addSectionNear(point, next, turn.after, point) : point;
      }
      before = after;
    }
  }

  /**
   * Adds a cross section between a sharp corner and `other` if the two are far enough apart.
   *
   * @returns the point up to which the line is drawn: the new cross section, or `from`
   */
  private addSectionNear(sharp: Vector, other: Vector, normal: Vector, from: Vector): Vector {
    const lengthPx = distance(sharp, other);
    const { sharpCornerPx } = this;
    if (lengthPx <= 2 * sharpCornerPx) return from;
    const part = sharpCornerPx / lengthPx;
    const near = {
      x: sharp.x + (other.x - sharp.x) * part,
      y: sharp.y + (other.y - sharp.y) * part,
    };
    this.alongPx += distance(from, near);
    this.addPair(near, normal, normal);
    return near;
  }

  private addEnd(point: Vector, turn: Turn, isStart: boolean): void {
    const { cap } = this.form;
    const { after: normal, offset } = turn;
    const outward = isStart ? -1 : 1;
    if (cap === 'butt') this.addPair(point, normal, offset);
    else if (cap === 'square') this.addPair(point, normal, offset, outward, outward);
    else if (isStart) {
      this.addPair(point, normal, offset, -1, -1, 1);
      this.addPair(point, normal, offset);
    } else {
      this.addPair(point, normal, offset);
      this.addPair(point, normal, offset, 1, 1, 1);
    }
  }

  private addJoin(point: Vector, turn: Turn): void {
    const { before, after, miterLength } = turn;
    switch (this.joinAt(turn)) {
      case 'miter':
        return this.addPair(point, scale(turn.bisector, miterLength), turn.offset);
      case 'bevel':
        return this.addWedges(point, turn, 1);
      case 'wedges':
        return this.addWedges(point, turn, turn.wedgeCount);
      case 'flip': {
        // Too sharp for a miter on the inner side: the strip crosses over instead.
        const across = turn.flippedNormal();
        const back = scale(across, -1);
        this.addPair(point, across, turn.easedOffset(across));
        return this.addPair(point, back, turn.easedOffset(back));
      }
      case 'cap':
        this.addPair(point, before, turn.easedOffset(before));
        this.addPair(point, before, turn.easedOffset(before), 1, 1, 1);
        this.addPair(point, after, turn.easedOffset(after), -1, -1, 1);
        return this.addPair(point, after, turn.easedOffset(after));
    }
  }

  private joinAt({ miterLength }: Turn): 'miter' | 'bevel' | 'flip' | 'wedges' | 'cap' {
    const { join, roundLimit } = this.form;
    const miterLimit = join === 'bevel' ? BEVEL_MITER_LIMIT : this.form.miterLimit;
    if (join === 'round' && miterLength >= roundLimit) {
      return miterLength <= MAX_MITER ? 'wedges' : 'cap';
    }
    if (miterLength <= miterLimit) return 'miter';
    return miterLength > MAX_MITER ? 'flip' : 'bevel';
  }

  /** One wedge makes a bevel, several a round join. The inner side is a miter. */
  private addWedges(point: Vector, turn: Turn, count: number): void {
    const { before, after, miterLength, offset, turnsRight } = turn;
    const inward = -Math.sqrt(miterLength * miterLength - 1);
    const [left, right] = turnsRight ? [inward, 0] : [0, inward];
    this.addPair(point, before, offset, left, right);
    for (let i = 1; i < count; i++) {
      const part = turn.chordFraction(i / count);
      const x = before.x + (after.x - before.x) * part;
      const y = before.y + (after.y - before.y) * part;
      const outward = (turnsRight ? -1 : 1) / Math.sqrt(x * x + y * y);
      this.addCornerAt(point, x * outward, y * outward, offset, turnsRight ? 1 : -1, 0);
    }
    this.addPair(point, after, offset, -left, -right);
  }

  /**
   * Adds the two corners of a cross section: at `normal` on the left of the strip, and opposite on
   * the right. `leftAlong` and `rightAlong` move them along the line, in half line widths.
   */
  private addPair(
    point: Vector,
    normal: Vector,
    offset: Vector,
    leftAlong = 0,
    rightAlong = 0,
    capEnd: 0 | 1 = 0,
  ): void {
    const { x, y } = normal;
    this.addCornerAt(point, x + y * leftAlong, y - x * leftAlong, offset, -1, capEnd);
    this.addCornerAt(point, -x + y * rightAlong, -y - x * rightAlong, offset, 1, capEnd);
  }

  private addCornerAt(
    point: Vector,
    extrudeX: number,
    extrudeY: number,
    offset: Vector,
    side: -1 | 1,
    capEnd: 0 | 1,
  ): void {
    this.addCorner(
      point.x,
      point.y,
      { x: roundToByteStep(extrudeX), y: roundToByteStep(extrudeY) },
      { x: roundToByteStep(offset.x), y: roundToByteStep(offset.y) },
      side,
      capEnd,
      this.alongPx,
    );
  }
}

/**
 * Rounds a component of a vector as MapLibre stores it: in signed bytes, 63 to the unit. Wide lines show
 * the rounding, and components longer than two overflow.
 */
function roundToByteStep(value: number): number {
  return ((Math.round(63 * value) << 24) >> 24) / 63;
}
