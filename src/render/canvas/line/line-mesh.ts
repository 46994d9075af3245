/**
 * Turns lines into strips of triangles, with joins, caps, and offsets where MapLibre puts them. Strips
 * overlap themselves as they do there, which is visible in translucent lines.
 */
import type { FlatPoints } from '../../../spatial/flat.ts';
import { LineCorners } from './line-corners.ts';
import { distance, MAX_MITER, Turn } from './line-turn.ts';

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

/** Distance from a sharp corner at which a straight cross section keeps dashes from slanting */
const SHARP_CORNER_PX = 15;

/** Miter limit of bevel joins: at smaller turns a bevel is invisible. */
const BEVEL_MITER_LIMIT = 1.05;

/**
 * Returns the corners of a line's strip, which are valid until the next call. A ring does not repeat its
 * first point; a line stays open even if it ends where it starts.
 *
 * @param tileScale CSS pixels per tile pixel
 */
export function meshLine(
  line: FlatPoints,
  isRing: boolean,
  form: LineForm,
  tileScale: number,
): LineCorners {
  mesh.start(form, SHARP_CORNER_PX * tileScale);
  const points = distinctPoints(line, isRing);
  const count = points.length / 2;
  if (count >= (isRing ? 3 : 2)) mesh.add(points, count, isRing);
  return mesh.corners;
}

/** Drops repeated points, and closes a ring by repeating its first point. */
function distinctPoints(line: FlatPoints, isRing: boolean): FlatPoints {
  const { length } = line;
  const points: FlatPoints = [];
  for (let i = 0; i < length; i += 2) {
    const x = line[i]!;
    const y = line[i + 1]!;
    if (i === 0 || x !== points.at(-2) || y !== points.at(-1)) points.push(x, y);
  }
  if (isRing && (points.at(-2) !== line[0] || points.at(-1) !== line[1]))
    points.push(line[0]!, line[1]!);
  return points;
}

class Mesh {
  readonly corners = new LineCorners();
  private form!: LineForm;
  private sharpCornerPx = 0;
  private alongPx = 0;
  private readonly turn = new Turn();
  /** The point whose corners are added, and its offset as MapLibre stores it */
  private x = 0;
  private y = 0;
  private offsetX = 0;
  private offsetY = 0;
  /** The point up to which the line has corners */
  private endX = 0;
  private endY = 0;

  start(form: LineForm, sharpCornerPx: number): void {
    this.corners.count = 0;
    this.form = form;
    this.sharpCornerPx = sharpCornerPx;
    this.alongPx = 0;
  }

  add(points: FlatPoints, count: number, isRing: boolean): void {
    const { turn } = this;
    const last = count - 1;
    let beforeX = 0;
    let beforeY = 0;
    if (isRing) {
      this.endX = points[2 * last - 2]!;
      this.endY = points[2 * last - 1]!;
      const lengthPx = distance(this.endX, this.endY, points[0]!, points[1]!);
      beforeX = -(points[1]! - this.endY) / lengthPx;
      beforeY = (points[0]! - this.endX) / lengthPx;
    }
    for (let i = 0; i <= last; i++) {
      const x = points[2 * i]!;
      const y = points[2 * i + 1]!;
      const isFirst = i === 0 && !isRing;
      const isLast = i === last && !isRing;
      const next = i < last ? i + 1 : 1;
      const nextX = points[2 * next]!;
      const nextY = points[2 * next + 1]!;
      let afterX = beforeX;
      let afterY = beforeY;
      if (!isLast) {
        // The unit vector to the right of the direction to the next point
        const lengthPx = distance(x, y, nextX, nextY);
        afterX = -(nextY - y) / lengthPx;
        afterY = (nextX - x) / lengthPx;
      }
      if (isFirst) turn.set(afterX, afterY, afterX, afterY);
      else turn.set(beforeX, beforeY, afterX, afterY);
      if (isFirst || isLast) {
        if (!isFirst) this.alongPx += distance(this.endX, this.endY, x, y);
        this.moveTo(x, y);
        this.addEnd(isFirst);
      } else {
        if (turn.isSharp && i > 0)
          this.addSectionNear(x, y, this.endX, this.endY, beforeX, beforeY);
        this.alongPx += distance(this.endX, this.endY, x, y);
        this.moveTo(x, y);
        this.addJoin();
      }
      this.endX = x;
      this.endY = y;
      if (!isFirst && !isLast && turn.isSharp && i < last)
        this.addSectionNear(x, y, nextX, nextY, afterX, afterY);
      beforeX = afterX;
      beforeY = afterY;
    }
  }

  private moveTo(x: number, y: number): void {
    const { turn } = this;
    this.x = x;
    this.y = y;
    this.setOffset(turn.bisectorX * turn.offsetLength, turn.bisectorY * turn.offsetLength);
  }

  private setOffset(x: number, y: number): void {
    this.offsetX = roundToByteStep(x);
    this.offsetY = roundToByteStep(y);
  }

  /**
   * Adds a cross section between a sharp corner and another point if the two are far enough apart, and
   * continues the line up to it.
   */
  private addSectionNear(
    sharpX: number,
    sharpY: number,
    otherX: number,
    otherY: number,
    normalX: number,
    normalY: number,
  ): void {
    const lengthPx = distance(sharpX, sharpY, otherX, otherY);
    const { sharpCornerPx } = this;
    if (lengthPx <= 2 * sharpCornerPx) return;
    const part = sharpCornerPx / lengthPx;
    this.x = sharpX + (otherX - sharpX) * part;
    this.y = sharpY + (otherY - sharpY) * part;
    this.alongPx += distance(this.endX, this.endY, this.x, this.y);
    this.setOffset(normalX, normalY);
    this.addPair(normalX, normalY);
    this.endX = this.x;
    this.endY = this.y;
  }

  private addEnd(isStart: boolean): void {
    const { cap } = this.form;
    const { afterX, afterY } = this.turn;
    const outward = isStart ? -1 : 1;
    if (cap === 'butt') this.addPair(afterX, afterY);
    else if (cap === 'square') this.addPair(afterX, afterY, outward, outward);
    else if (isStart) {
      this.addPair(afterX, afterY, -1, -1, 1);
      this.addPair(afterX, afterY);
    } else {
      this.addPair(afterX, afterY);
      this.addPair(afterX, afterY, 1, 1, 1);
    }
  }

  private addJoin(): void {
    const { turn } = this;
    const { beforeX, beforeY, afterX, afterY, miterLength } = turn;
    switch (this.joinAt(miterLength)) {
      case 'miter':
        return this.addPair(turn.bisectorX * miterLength, turn.bisectorY * miterLength);
      case 'bevel':
        return this.addWedges(1);
      case 'wedges':
        return this.addWedges(turn.wedgeCount);
      case 'flip': {
        // Too sharp for a miter on the inner side: the strip crosses over instead.
        const { x, y } = turn.flippedNormal();
        this.ease(x, y);
        this.addPair(x, y);
        this.ease(-x, -y);
        return this.addPair(-x, -y);
      }
      case 'cap':
        this.ease(beforeX, beforeY);
        this.addPair(beforeX, beforeY);
        this.addPair(beforeX, beforeY, 1, 1, 1);
        this.ease(afterX, afterY);
        this.addPair(afterX, afterY, -1, -1, 1);
        return this.addPair(afterX, afterY);
    }
  }

  private ease(normalX: number, normalY: number): void {
    const { x, y } = this.turn.easedOffset(normalX, normalY);
    this.setOffset(x, y);
  }

  private joinAt(miterLength: number): 'miter' | 'bevel' | 'flip' | 'wedges' | 'cap' {
    const { join, roundLimit } = this.form;
    const miterLimit = join === 'bevel' ? BEVEL_MITER_LIMIT : this.form.miterLimit;
    if (join === 'round' && miterLength >= roundLimit) {
      return miterLength <= MAX_MITER ? 'wedges' : 'cap';
    }
    if (miterLength <= miterLimit) return 'miter';
    return miterLength > MAX_MITER ? 'flip' : 'bevel';
  }

  /** One wedge makes a bevel, several a round join. The inner side is a miter. */
  private addWedges(count: number): void {
    const { turn } = this;
    const { beforeX, beforeY, afterX, afterY, miterLength, turnsRight } = turn;
    const inward = -Math.sqrt(miterLength * miterLength - 1);
    const left = turnsRight ? inward : 0;
    const right = turnsRight ? 0 : inward;
    this.addPair(beforeX, beforeY, left, right);
    for (let i = 1; i < count; i++) {
      const part = turn.chordFraction(i / count);
      const x = beforeX + (afterX - beforeX) * part;
      const y = beforeY + (afterY - beforeY) * part;
      const length = Math.sqrt(x * x + y * y);
      this.addPair(x / length, y / length, 0, 0, 0, turnsRight ? 1 : -1, turnsRight ? 1 : -1);
    }
    this.addPair(afterX, afterY, -left, -right);
  }

  /**
   * Adds the two corners of a cross section: at the normal on the left of the strip, and opposite on
   * the right. `leftAlong` and `rightAlong` move them along the line, in half line widths.
   */
  private addPair(
    x: number,
    y: number,
    leftAlong = 0,
    rightAlong = 0,
    capEnd: 0 | 1 = 0,
    from: -1 | 1 = -1,
    to: -1 | 1 = 1,
  ): void {
    const { corners } = this;
    for (let side = from; side <= to; side += 2) {
      const along = side < 0 ? leftAlong : rightAlong;
      // Written in place: arguments of a call would be objects.
      let at = corners.next();
      const { values } = corners;
      values[at++] = this.x;
      values[at++] = this.y;
      values[at++] = roundToByteStep(y * along - side * x);
      values[at++] = roundToByteStep(-side * y - x * along);
      values[at++] = this.offsetX;
      values[at++] = this.offsetY;
      values[at++] = side;
      values[at++] = capEnd;
      values[at] = this.alongPx;
    }
  }
}

/**
 * Rounds a component of a vector as MapLibre stores it: in signed bytes, 63 to the unit. Wide lines show
 * the rounding, and components longer than two overflow.
 */
function roundToByteStep(value: number): number {
  return ((Math.round(63 * value) << 24) >> 24) / 63;
}

/** Reused for all lines, with its memory */
const mesh = new Mesh();
