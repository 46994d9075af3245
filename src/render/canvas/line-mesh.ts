/**
 * Lines as strips of triangles: where MapLibre puts the corners of joins, caps and offsets. What
 * overlaps itself there does so here, which shows as soon as a line is translucent.
 */
import type { FlatPoints } from '../../spatial/flat.ts';
import { distance, LONGEST_MITER, rightOf, scaled, Turn, type Vector } from './line-turn.ts';

export type LineJoin = 'bevel' | 'round' | 'miter';
export type LineCap = 'butt' | 'round' | 'square';

export interface LineForm {
  cap: LineCap;
  join: LineJoin;
  /** Of the length of a mitre, in line widths, beyond which it is bevelled */
  miterLimit: number;
  /** Below which a round join is a mitre: nobody could tell */
  roundLimit: number;
}

/**
 * Takes the corner that lies half a line's width along `extrude` and a line's offset along `offset`
 * from (x, y). `side` is -1 or 1, `beyond` 1 at the end of a round cap.
 */
export type AddCorner = (
  x: number,
  y: number,
  extrude: Vector,
  offset: Vector,
  side: -1 | 1,
  beyond: 0 | 1,
  alongPx: number,
) => void;

/** Where a line gets a plain cross section before and after a sharp corner, lest its dashes lean. */
const SHARP_CORNER_PX = 15;

/** The limit of mitres where bevels are asked for: what turns less shows none. */
const BEVEL_MITER_LIMIT = 1.05;

/**
 * Hands the corners of a line over, in the order of a strip. A ring is closed by nature; a line is
 * open even if it ends where it begins. `tileScale` is the size of a tile's pixel, CSS pixels.
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

/** A ring gets its first point once more at its end. */
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
    let before: Vector | null = previous === null ? null : rightOf(previous, points[0]!);
    for (const [i, point] of points.entries()) {
      const next = i < last ? points[i + 1]! : isRing ? points[1]! : null;
      const after = next === null ? before! : rightOf(point, next);
      const turn = new Turn(before ?? after, after);
      if (previous === null || next === null) {
        if (previous !== null) this.alongPx += distance(previous, point);
        this.addEnd(point, turn, previous === null);
        previous = point;
      } else {
        if (turn.isSharp && i > 0) previous = this.addNear(point, previous, turn.before, previous);
        this.alongPx += distance(previous, point);
        this.addJoin(point, turn);
        previous = turn.isSharp && i < last ? this.addNear(point, next, turn.after, point) : point;
      }
      before = after;
    }
  }

  /**
   * A cross section close to a sharp corner on the way to `other`, if that is far enough. Gives
   * how far the line is drawn now: to there, or still to `from`.
   */
  private addNear(sharp: Vector, other: Vector, normal: Vector, from: Vector): Vector {
    const lengthPx = distance(sharp, other);
    const { sharpCornerPx } = this;
    if (lengthPx <= 2 * sharpCornerPx) return from;
    const part = sharpCornerPx / lengthPx;
    const near = {
      x: sharp.x + (other.x - sharp.x) * part,
      y: sharp.y + (other.y - sharp.y) * part,
    };
    this.alongPx += distance(from, near);
    this.pair(near, normal, normal);
    return near;
  }

  private addEnd(point: Vector, turn: Turn, isStart: boolean): void {
    const { cap } = this.form;
    const { after: normal, offset } = turn;
    const outward = isStart ? -1 : 1;
    if (cap === 'butt') this.pair(point, normal, offset);
    else if (cap === 'square') this.pair(point, normal, offset, outward, outward);
    else if (isStart) {
      this.pair(point, normal, offset, -1, -1, 1);
      this.pair(point, normal, offset);
    } else {
      this.pair(point, normal, offset);
      this.pair(point, normal, offset, 1, 1, 1);
    }
  }

  private addJoin(point: Vector, turn: Turn): void {
    const { before, after, miterLength } = turn;
    switch (this.joinAt(turn)) {
      case 'miter':
        return this.pair(point, scaled(turn.bisector, miterLength), turn.offset);
      case 'bevel':
        return this.addWedges(point, turn, 1);
      case 'wedges':
        return this.addWedges(point, turn, turn.wedges);
      case 'flip': {
        // Too sharp for the mitre on the inner side: the strip crosses over instead.
        const across = turn.flipped();
        const back = scaled(across, -1);
        this.pair(point, across, turn.easedOffset(across));
        return this.pair(point, back, turn.easedOffset(back));
      }
      case 'cap':
        this.pair(point, before, turn.easedOffset(before));
        this.pair(point, before, turn.easedOffset(before), 1, 1, 1);
        this.pair(point, after, turn.easedOffset(after), -1, -1, 1);
        return this.pair(point, after, turn.easedOffset(after));
    }
  }

  private joinAt({ miterLength }: Turn): 'miter' | 'bevel' | 'flip' | 'wedges' | 'cap' {
    const { join, roundLimit } = this.form;
    const miterLimit = join === 'bevel' ? BEVEL_MITER_LIMIT : this.form.miterLimit;
    if (join === 'round' && miterLength >= roundLimit) {
      return miterLength <= LONGEST_MITER ? 'wedges' : 'cap';
    }
    if (miterLength <= miterLimit) return 'miter';
    return miterLength > LONGEST_MITER ? 'flip' : 'bevel';
  }

  /** One wedge is a bevel, several make a round join; the inner side is a mitre. */
  private addWedges(point: Vector, turn: Turn, count: number): void {
    const { before, after, miterLength, offset, turnsRight } = turn;
    const inward = -Math.sqrt(miterLength * miterLength - 1);
    const [left, right] = turnsRight ? [inward, 0] : [0, inward];
    this.pair(point, before, offset, left, right);
    for (let i = 1; i < count; i++) {
      const part = turn.arcPart(i / count);
      const x = before.x + (after.x - before.x) * part;
      const y = before.y + (after.y - before.y) * part;
      const outward = (turnsRight ? -1 : 1) / Math.hypot(x, y);
      this.half(point, { x: x * outward, y: y * outward }, offset, turnsRight ? 1 : -1, 0);
    }
    this.pair(point, after, offset, -left, -right);
  }

  /**
   * The two corners of a cross section, `normal` to the left of the strip and against it to its
   * right, moved along the line by `leftAlong` and `rightAlong` half widths.
   */
  private pair(
    point: Vector,
    normal: Vector,
    offset: Vector,
    leftAlong = 0,
    rightAlong = 0,
    beyond: 0 | 1 = 0,
  ): void {
    const left = { x: normal.x + normal.y * leftAlong, y: normal.y - normal.x * leftAlong };
    const right = { x: -normal.x + normal.y * rightAlong, y: -normal.y - normal.x * rightAlong };
    this.half(point, left, offset, -1, beyond);
    this.half(point, right, offset, 1, beyond);
  }

  private half(point: Vector, extrude: Vector, offset: Vector, side: -1 | 1, beyond: 0 | 1): void {
    this.addCorner(point.x, point.y, inBytes(extrude), inBytes(offset), side, beyond, this.alongPx);
  }
}

/**
 * MapLibre keeps its vectors in signed bytes, 63 to the unit. Wide lines show it, and mitres longer
 * than two, which run over.
 */
function inBytes({ x, y }: Vector): Vector {
  return { x: inByte(x), y: inByte(y) };
}

function inByte(value: number): number {
  return ((Math.round(63 * value) << 24) >> 24) / 63;
}
