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
  beforeX = 0;
  beforeY = 0;
  afterX = 0;
  afterY = 0;
  /** Unit vector halfway between the normals; zero where the line reverses */
  bisectorX = 0;
  bisectorY = 0;
  /** Distance from the corner to the tip of its miter, in half line widths */
  miterLength = 1;
  private cosHalf = 1;

  set(beforeX: number, beforeY: number, afterX: number, afterY: number): void {
    this.beforeX = beforeX;
    this.beforeY = beforeY;
    this.afterX = afterX;
    this.afterY = afterY;
    const x = beforeX + afterX;
    const y = beforeY + afterY;
    const length = Math.sqrt(x * x + y * y) || 1;
    this.bisectorX = x / length;
    this.bisectorY = y / length;
    this.cosHalf = this.bisectorX * afterX + this.bisectorY * afterY;
    this.miterLength = this.cosHalf === 0 ? Infinity : 1 / this.cosHalf;
  }

  get isSharp(): boolean {
    return this.cosHalf < COS_HALF_SHARP_CORNER;
  }

  get turnsRight(): boolean {
    return this.beforeX * this.afterY - this.beforeY * this.afterX > 0;
  }

  /** How far an offset line moves this corner along the bisector */
  get offsetLength(): number {
    return Math.min(this.miterLength, MAX_MITER);
  }

  /**
   * The offset in a sharp turn: blended toward the normal of one side, because the tip of the miter
   * lies too far ahead.
   */
  easedOffset(normalX: number, normalY: number): Vector {
    const part = (this.miterLength - FADE_OFFSET_FROM) / (FADE_OFFSET_TO - FADE_OFFSET_FROM);
    const ease = Math.max(0, Math.min(1, part));
    const x = this.bisectorX * this.offsetLength;
    const y = this.bisectorY * this.offsetLength;
    return { x: x + (normalX - x) * ease, y: y + (normalY - y) * ease };
  }

  /** Half cross section of a bevel in a turn too sharp for a miter: perpendicular to the bisector. */
  flippedNormal(): Vector {
    const { beforeX, beforeY, afterX, afterY, miterLength } = this;
    // Practically a reversal
    if (miterLength > 100) return { x: -afterX, y: -afterY };
    const sum = Math.hypot(beforeX + afterX, beforeY + afterY);
    const difference = Math.hypot(beforeX - afterX, beforeY - afterY);
    const length = ((miterLength * sum) / difference) * (this.turnsRight ? -1 : 1);
    return { x: -this.bisectorY * length, y: this.bisectorX * length };
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
    const cos = this.beforeX * this.afterX + this.beforeY * this.afterY;
    const centered = part - 0.5;
    const a = 1.0904 + cos * (-3.2452 + cos * (3.55645 - cos * 1.43519));
    const b = 0.848013 + cos * (-1.06021 + cos * 0.215638);
    return part + part * centered * (part - 1) * (a * centered * centered + b);
  }
}

export function distance(ax: number, ay: number, bx: number, by: number): number {
  // Ten times as fast as Math.hypot
  return Math.sqrt((bx - ax) ** 2 + (by - ay) ** 2);
}
