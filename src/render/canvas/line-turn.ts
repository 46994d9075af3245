/** Where a line turns: the vectors along which MapLibre moves its corners there. */

export interface Vector {
  x: number;
  y: number;
}

/** Corners turning by more than this are sharp. */
const COS_HALF_SHARP_CORNER = Math.cos((37.5 * Math.PI) / 180);

/** A mitre this long no longer fits MapLibre's vectors, which are bytes. */
export const LONGEST_MITER = 2;

/** An offset follows mitres to the corner; from this length on ever less, from that on not at all. */
const OFFSET_FOLLOWS_TO = 3;
const OFFSET_ALONE_FROM = 8;

/** Wedges of a round join span about this angle. */
const WEDGE_DEGREES = 20;

/** Where a line turns, from its normal before to its normal after (unit vectors). */
export class Turn {
  readonly before: Vector;
  readonly after: Vector;
  /** Half way between the normals; null length where the line turns back */
  readonly bisector: Vector;
  /** From the corner to the tip of its mitre, in half widths */
  readonly miterLength: number;
  readonly isSharp: boolean;
  readonly turnsRight: boolean;
  private readonly cosHalf: number;

  constructor(before: Vector, after: Vector) {
    this.before = before;
    this.after = after;
    const x = before.x + after.x;
    const y = before.y + after.y;
    const length = Math.sqrt(x * x + y * y) || 1;
    this.bisector = { x: x / length, y: y / length };
    this.cosHalf = this.bisector.x * after.x + this.bisector.y * after.y;
    this.miterLength = this.cosHalf === 0 ? Infinity : 1 / this.cosHalf;
    this.isSharp = this.cosHalf < COS_HALF_SHARP_CORNER;
    this.turnsRight = before.x * after.y - before.y * after.x > 0;
  }

  /** The vector along which the corner is offset. */
  get offset(): Vector {
    return scaled(this.bisector, Math.min(this.miterLength, LONGEST_MITER));
  }

  /**
   * The same in a sharp turn, where the tip of the mitre lies too far ahead: eased towards the
   * normal of one side.
   */
  easedOffset(normal: Vector): Vector {
    const part = (this.miterLength - OFFSET_FOLLOWS_TO) / (OFFSET_ALONE_FROM - OFFSET_FOLLOWS_TO);
    const ease = Math.max(0, Math.min(1, part));
    const { offset } = this;
    return {
      x: offset.x + (normal.x - offset.x) * ease,
      y: offset.y + (normal.y - offset.y) * ease,
    };
  }

  /** The cross section of a bevel in a turn too sharp for a mitre: along the bisector's normal. */
  flipped(): Vector {
    const { before, after, bisector, miterLength } = this;
    // As good as straight back
    if (miterLength > 100) return scaled(after, -1);
    const sum = Math.hypot(before.x + after.x, before.y + after.y);
    const difference = Math.hypot(before.x - after.x, before.y - after.y);
    const length = ((miterLength * sum) / difference) * (this.turnsRight ? -1 : 1);
    return { x: -bisector.y * length, y: bisector.x * length };
  }

  /** How many make a round join. */
  get wedges(): number {
    const approximateAngle = 2 * Math.sqrt(2 - 2 * this.cosHalf);
    return Math.round((approximateAngle * 180) / Math.PI / WEDGE_DEGREES);
  }

  /**
   * The part of the chord that shows a part of the arc (Agafonkin, "Approximating geometric
   * slerp", observablehq.com/@mourner/approximating-geometric-slerp).
   */
  arcPart(part: number): number {
    const cos = this.before.x * this.after.x + this.before.y * this.after.y;
    const off = part - 0.5;
    const a = 1.0904 + cos * (-3.2452 + cos * (3.55645 - cos * 1.43519));
    const b = 0.848013 + cos * (-1.06021 + cos * 0.215638);
    return part + part * off * (part - 1) * (a * off * off + b);
  }
}

/** The unit vector to the right of the way from one point to another. */
export function rightOf(from: Vector, to: Vector): Vector {
  const lengthPx = distance(from, to);
  return { x: -(to.y - from.y) / lengthPx, y: (to.x - from.x) / lengthPx };
}

export function distance(a: Vector, b: Vector): number {
  // Ten times as fast as Math.hypot
  return Math.sqrt((b.x - a.x) ** 2 + (b.y - a.y) ** 2);
}

export function scaled({ x, y }: Vector, by: number): Vector {
  return { x: x * by, y: y * by };
}
