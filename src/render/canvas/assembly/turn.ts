/** The vectors along which MapLibre moves the corners of a line where it turns. */
import { round } from './snap';

/** Cosine of half the turn (75°) beyond which a corner is sharp */
const COS_HALF_SHARP_CORNER: f64 = 0.7933533402912352;

/** Longest miter that fits MapLibre's vectors, which are stored in bytes */
export const MAX_MITER: f64 = 2;

/** Miter lengths between which an offset turns from the miter to the normal */
const FADE_OFFSET_FROM: f64 = 3;
const FADE_OFFSET_TO: f64 = 8;

/** Approximate angle of one wedge of a round join */
const WEDGE_DEGREES: f64 = 20;

/** The unit normals before and after the turn */
export let beforeX: f64 = 0;
export let beforeY: f64 = 0;
export let afterX: f64 = 0;
export let afterY: f64 = 0;
/** Unit vector halfway between the normals; zero where the line reverses */
export let bisectorX: f64 = 0;
export let bisectorY: f64 = 0;
/** Distance from the corner to the tip of its miter, in half line widths */
export let miterLength: f64 = 1;
let cosHalf: f64 = 1;

export function setTurn(fromX: f64, fromY: f64, toX: f64, toY: f64): void {
  beforeX = fromX;
  beforeY = fromY;
  afterX = toX;
  afterY = toY;
  const x = fromX + toX;
  const y = fromY + toY;
  const sum = sqrt(x * x + y * y);
  const length = sum === 0 ? 1 : sum;
  bisectorX = x / length;
  bisectorY = y / length;
  cosHalf = bisectorX * toX + bisectorY * toY;
  miterLength = cosHalf === 0 ? Infinity : 1 / cosHalf;
}

export function isSharp(): bool {
  return cosHalf < COS_HALF_SHARP_CORNER;
}

export function turnsRight(): bool {
  return beforeX * afterY - beforeY * afterX > 0;
}

/** How far an offset line moves this corner along the bisector */
export function offsetLength(): f64 {
  return min(miterLength, MAX_MITER);
}

/**
 * How much the offset in a sharp turn is blended toward the normal of one side, because the tip of the miter
 * lies too far ahead: 0 to 1.
 */
export function offsetEase(): f64 {
  const part = (miterLength - FADE_OFFSET_FROM) / (FADE_OFFSET_TO - FADE_OFFSET_FROM);
  return max<f64>(0, min<f64>(1, part));
}

/**
 * Length of half the cross section of a bevel in a turn too sharp for a miter, which is perpendicular to the
 * bisector. Infinite where the line practically reverses
 */
export function flippedLength(): f64 {
  if (miterLength > 100) return Infinity;
  const sum = length(beforeX + afterX, beforeY + afterY);
  const difference = length(beforeX - afterX, beforeY - afterY);
  return ((miterLength * sum) / difference) * (turnsRight() ? -1 : 1);
}

/** Number of wedges in a round join */
export function wedgeCount(): i32 {
  const approximateAngle = 2 * sqrt(2 - 2 * cosHalf);
  return <i32>round((approximateAngle * 180) / Math.PI / WEDGE_DEGREES);
}

/**
 * Returns the fraction of the chord that corresponds to a fraction of the arc (Agafonkin,
 * "Approximating geometric slerp", observablehq.com/@mourner/approximating-geometric-slerp).
 */
export function chordFraction(part: f64): f64 {
  const cos = beforeX * afterX + beforeY * afterY;
  const centered = part - 0.5;
  const a = 1.0904 + cos * (-3.2452 + cos * (3.55645 - cos * 1.43519));
  const b = 0.848013 + cos * (-1.06021 + cos * 0.215638);
  return part + part * centered * (part - 1) * (a * centered * centered + b);
}

export function length(x: f64, y: f64): f64 {
  return sqrt(x * x + y * y);
}
