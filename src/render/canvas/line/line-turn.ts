/** The vectors along which MapLibre moves the corners of a line where it turns. */

export interface Vector {
  x: number;
  y: number;
}

/** Cosine of half the turn (75°) beyond which a corner is sharp */
const COS_HALF_SHARP_CORNER = Math.cos((37.5 * Math.PI) / 180);

/** Longest miter that fits MapLibre's vectors, which are stored in bytes */
export const MAX_MITER = 2;

/** Miter lengths between which an offset turns from the miter to the normal */
const FADE_OFFSET_FROM = 3;
const FADE_OFFSET_TO = 8;

/** Approximate angle of one wedge of a round join */
const WEDGE_DEGREES = 20;

/** A turn from one unit normal to the next. */
export class Turn {
  readonly before: Vector;
  readonly after: Vector;
  /** Unit vector halfway between the normals; zero where the line reverses */
  readonly bisector: Vector;
  /** Distance from the corner to the tip of its miter, in half line widths */
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

  /** Vector along which an offset line moves this corner */
  get offset(): Vector {
    return scale(this.bisector, Math.min(this.miterLength, MAX_MITER));
  }

  /**
   * The offset in a sharp turn: blended toward the normal of one side, because the tip of the miter
   * lies too far ahead.
   */
  easedOffset(normal: Vector): Vector {
    const part = (this.miterLength - FADE_OFFSET_FROM) / (FADE_OFFSET_TO - FADE_OFFSET_FROM);
    const ease = Math.max(0, Math.min(1, part));
    const { offset } = this;
    return {
      x: offset.x + (normal.x - offset.x) * ease,
      y: offset.y + (normal.y - offset.y) * ease,
    };
  }

  /** Half cross section of a bevel in a turn too sharp for a miter: perpendicular to the bisector. */
  flippedNormal(): Vector {
    const { before, after, bisector, miterLength } = this;
    // Practically a reversal
    if (miterLength > 100) return scale(after, -1);
    const sum = Math.hypot(before.x + after.x, before.y + after.y);
    const difference = Math.hypot(before.x - after.x, before.y - after.y);
    const length = ((miterLength * sum) / difference) * (this.turnsRight ? -1 : 1);
    return { x: -bisector.y * length, y: bisector.x * length };
  }

  /** Number of wedges in a round join */
  get wedgeCount(): number {
    const approximateAngle = 2 * Math.sqrt(2 - 2 * this.cosHalf);
    return Math.round((approximateAngle * 180) / Math.PI / WEDGE_DEGREES);
  }

  /**
   * Returns the fraction of the chord that corresponds to a fraction of the arc (Agafonkin,
   * "Approximating geometric slerp", observablehq.com/@mourner/approximating-geometric-slerp).
   */
  chordFraction(part: number): number {
    const cos = this.before.x * this.after.x + this.before.y * this.after.y;
    const centered = part - 0.5;
    const a = 1.0904 + cos * (-3.2452 + cos * (3.55645 - cos * 1.43519));
    const b = 0.848013 + cos * (-1.06021 + cos * 0.215638);
    return part + part * centered * (part - 1) * (a * centered * centered + b);
  }
}

/** Returns the unit vector to the right of the direction from one point to another. */
export function rightNormal(from: Vector, to: Vector): Vector {
  const lengthPx = distance(from, to);
  return { x: -(to.y - from.y) / lengthPx, y: (to.x - from.x) / lengthPx };
}

export function distance(a: Vector, b: Vector): number {
  // Ten times as fast as Math.hypot
  return Math.sqrt((b.x - a.x) ** 2 + (b.y - a.y) ** 2);
}

export function scale({ x, y }: Vector, by: number): Vector {
  return { x: x * by, y: y * by };
}
