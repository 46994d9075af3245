/**
 * Turns lines into strips of triangles, with joins, caps, and offsets where MapLibre puts them. Strips overlap
 * themselves as they do there, which is visible in translucent lines.
 */
import { CORNER, CORNERS, POINTS } from '../kernel-memory';
import { round } from './snap';
import * as turn from './turn';

export const BUTT: i32 = 0;
export const ROUND: i32 = 1;
export const SQUARE: i32 = 2;

export const BEVEL: i32 = 0;
export const MITER: i32 = 2;

/** Miter limit of bevel joins: at smaller turns a bevel is invisible. */
const BEVEL_MITER_LIMIT: f64 = 1.05;

let cap: i32 = BUTT;
let join: i32 = BEVEL;
/** Miters longer than this, in line widths, become bevels. */
let miterLimit: f64 = 0;
/** Round joins with a shorter miter are drawn as miters: the difference is invisible. */
let roundLimit: f64 = 0;
/** Distance from a sharp corner at which a straight cross section keeps dashes from slanting */
let sharpCornerPx: f64 = 0;

/** The point whose corners are added, and its offset as MapLibre stores it */
let pointX: f64 = 0;
let pointY: f64 = 0;
let offsetX: f64 = 0;
let offsetY: f64 = 0;
/** The point up to which the line has corners */
let endX: f64 = 0;
let endY: f64 = 0;
let alongPx: f64 = 0;
/** The distance along the line, in the units of its dashes */
let along: f64 = 0;
/** The normal of the segment before the next point */
let beforeX: f64 = 0;
let beforeY: f64 = 0;
/** Where the next corner is written */
let free: i32 = CORNERS;

export function startLine(
  lineCap: i32,
  lineJoin: i32,
  longestMiter: f64,
  longestRound: f64,
  sharpPx: f64,
): void {
  cap = lineCap;
  join = lineJoin;
  miterLimit = longestMiter;
  roundLimit = longestRound;
  sharpCornerPx = sharpPx;
  alongPx = 0;
  along = measure();
}

/** Whether lines have distances along them */
let isMeasured: bool = false;
/** The distance at the start of the line, and its change over a length in CSS pixels, in units */
let startUnits: f64 = 0;
let changeUnits: f64 = 0;
let lengthPx: f64 = 1;
let unit: f64 = 1;
/** Distances are rounded down to this step, unless it is 0. */
let step: f64 = 0;
let scale: f64 = 1;

/** Sets the units of distances along lines. */
export function measureAlong(
  measured: bool,
  start: f64,
  change: f64,
  px: f64,
  perUnit: f64,
  toStep: f64,
  scaled: f64,
): void {
  isMeasured = measured;
  startUnits = start;
  changeUnits = change;
  lengthPx = px;
  unit = perUnit;
  step = toStep;
  scale = scaled;
}

function measure(): f64 {
  if (!isMeasured) return 0;
  const exact = (startUnits + (changeUnits * alongPx) / lengthPx) * unit;
  return step === 0 ? exact : floor(exact / step) * step * scale;
}

/**
 * Meshes some points of a line. Before them and after them in memory are their neighbors, of which an open
 * line has none at its ends. A ring ends with its first point, whose neighbors are the last but one and the
 * second.
 *
 * @returns the number of corners
 */
export function meshPoints(count: i32, isRing: bool, startsLine: bool, endsLine: bool): i32 {
  free = CORNERS;
  if (startsLine && isRing) {
    endX = load<f64>(POINTS);
    endY = load<f64>(POINTS, 8);
    setNormal(endX, endY, load<f64>(POINTS, 16), load<f64>(POINTS, 24));
    beforeX = normalX;
    beforeY = normalY;
  }
  for (let i = 1; i <= count; i++) {
    const at = POINTS + 16 * i;
    const isStart = startsLine && i === 1;
    const isEnd = endsLine && i === count;
    addPoint(at, isStart, isEnd, isRing);
  }
  return <i32>((free - CORNERS) / CORNER);
}

let normalX: f64 = 0;
let normalY: f64 = 0;

/** Sets the unit vector to the right of the direction from one point to another. */
function setNormal(fromX: f64, fromY: f64, toX: f64, toY: f64): void {
  const distance = turn.length(toX - fromX, toY - fromY);
  normalX = -(toY - fromY) / distance;
  normalY = (toX - fromX) / distance;
}

function addPoint(at: i32, isStart: bool, isEnd: bool, isRing: bool): void {
  const x = load<f64>(at);
  const y = load<f64>(at, 8);
  const isFirst = isStart && !isRing;
  const isLast = isEnd && !isRing;
  const nextX = load<f64>(at, 16);
  const nextY = load<f64>(at, 24);
  let afterX = beforeX;
  let afterY = beforeY;
  if (!isLast) {
    setNormal(x, y, nextX, nextY);
    afterX = normalX;
    afterY = normalY;
  }
  if (isFirst) turn.setTurn(afterX, afterY, afterX, afterY);
  else turn.setTurn(beforeX, beforeY, afterX, afterY);
  if (isFirst || isLast) {
    if (!isFirst) advanceTo(x, y);
    moveTo(x, y);
    addEnd(isFirst);
  } else {
    if (turn.isSharp() && !isStart) addSectionNear(x, y, endX, endY, beforeX, beforeY);
    advanceTo(x, y);
    moveTo(x, y);
    addJoin();
  }
  endX = x;
  endY = y;
  if (!isFirst && !isLast && turn.isSharp() && !isEnd)
    addSectionNear(x, y, nextX, nextY, afterX, afterY);
  beforeX = afterX;
  beforeY = afterY;
}

/** Measures the distance along the line up to a point. */
function advanceTo(x: f64, y: f64): void {
  alongPx += turn.length(x - endX, y - endY);
  along = measure();
}

function moveTo(x: f64, y: f64): void {
  pointX = x;
  pointY = y;
  const length = turn.offsetLength();
  setOffset(turn.bisectorX * length, turn.bisectorY * length);
}

function setOffset(x: f64, y: f64): void {
  offsetX = roundToByteStep(x);
  offsetY = roundToByteStep(y);
}

/**
 * Adds a cross section between a sharp corner and another point if the two are far enough apart, and continues
 * the line up to it.
 */
function addSectionNear(
  sharpX: f64,
  sharpY: f64,
  otherX: f64,
  otherY: f64,
  acrossX: f64,
  acrossY: f64,
): void {
  const distance = turn.length(otherX - sharpX, otherY - sharpY);
  if (distance <= 2 * sharpCornerPx) return;
  const part = sharpCornerPx / distance;
  pointX = sharpX + (otherX - sharpX) * part;
  pointY = sharpY + (otherY - sharpY) * part;
  advanceTo(pointX, pointY);
  setOffset(acrossX, acrossY);
  addPair(acrossX, acrossY, 0, 0, 0);
  endX = pointX;
  endY = pointY;
}

function addEnd(isStart: bool): void {
  const x = turn.afterX;
  const y = turn.afterY;
  const outward: f64 = isStart ? -1 : 1;
  if (cap === BUTT) addPair(x, y, 0, 0, 0);
  else if (cap === SQUARE) addPair(x, y, outward, outward, 0);
  else if (isStart) {
    addPair(x, y, -1, -1, 1);
    addPair(x, y, 0, 0, 0);
  } else {
    addPair(x, y, 0, 0, 0);
    addPair(x, y, 1, 1, 1);
  }
}

function addJoin(): void {
  const miter = turn.miterLength;
  const limit = join === BEVEL ? BEVEL_MITER_LIMIT : miterLimit;
  if (join === ROUND && miter >= roundLimit) {
    if (miter <= turn.MAX_MITER) addWedges(turn.wedgeCount());
    else addCaps();
  } else if (miter <= limit) addPair(turn.bisectorX * miter, turn.bisectorY * miter, 0, 0, 0);
  else if (miter > turn.MAX_MITER) addFlip();
  else addWedges(1);
}

/** One wedge makes a bevel, several a round join. The inner side is a miter. */
function addWedges(count: i32): void {
  const inward = -sqrt(turn.miterLength * turn.miterLength - 1);
  const right = turn.turnsRight();
  const leftAlong = right ? inward : 0;
  const rightAlong = right ? 0 : inward;
  addPair(turn.beforeX, turn.beforeY, leftAlong, rightAlong, 0);
  for (let i = 1; i < count; i++) {
    const part = turn.chordFraction(<f64>i / <f64>count);
    const x = turn.beforeX + (turn.afterX - turn.beforeX) * part;
    const y = turn.beforeY + (turn.afterY - turn.beforeY) * part;
    const length = turn.length(x, y);
    addCorner(x / length, y / length, right ? 1 : -1, 0, 0);
  }
  addPair(turn.afterX, turn.afterY, -leftAlong, -rightAlong, 0);
}

/** Too sharp for a miter on the inner side: the strip crosses over instead. */
function addFlip(): void {
  const length = turn.flippedLength();
  const x = length === Infinity ? -turn.afterX : -turn.bisectorY * length;
  const y = length === Infinity ? -turn.afterY : turn.bisectorX * length;
  easeOffset(x, y);
  addPair(x, y, 0, 0, 0);
  easeOffset(-x, -y);
  addPair(-x, -y, 0, 0, 0);
}

/** Too sharp for a round join: both segments end in a cap. */
function addCaps(): void {
  easeOffset(turn.beforeX, turn.beforeY);
  addPair(turn.beforeX, turn.beforeY, 0, 0, 0);
  addPair(turn.beforeX, turn.beforeY, 1, 1, 1);
  easeOffset(turn.afterX, turn.afterY);
  addPair(turn.afterX, turn.afterY, -1, -1, 1);
  addPair(turn.afterX, turn.afterY, 0, 0, 0);
}

function easeOffset(towardX: f64, towardY: f64): void {
  const length = turn.offsetLength();
  const ease = turn.offsetEase();
  const x = turn.bisectorX * length;
  const y = turn.bisectorY * length;
  setOffset(x + (towardX - x) * ease, y + (towardY - y) * ease);
}

/**
 * Adds the two corners of a cross section: at the normal on the left of the strip, and opposite on the right.
 * `leftAlong` and `rightAlong` move them along the line, in half line widths.
 */
function addPair(x: f64, y: f64, leftAlong: f64, rightAlong: f64, capEnd: f64): void {
  addCorner(x, y, -1, leftAlong, capEnd);
  addCorner(x, y, 1, rightAlong, capEnd);
}

/** Its numbers are those of `LineCorners`. */
function addCorner(x: f64, y: f64, side: f64, moved: f64, capEnd: f64): void {
  store<f64>(free, pointX);
  store<f64>(free, pointY, 8);
  store<f64>(free, roundToByteStep(y * moved - side * x), 16);
  store<f64>(free, roundToByteStep(-side * y - x * moved), 24);
  store<f64>(free, offsetX, 32);
  store<f64>(free, offsetY, 40);
  store<f64>(free, side, 48);
  store<f64>(free, capEnd, 56);
  store<f64>(free, along, 64);
  free += CORNER;
}

/**
 * Rounds a component of a vector as MapLibre stores it: in signed bytes, 63 to the unit. Wide lines show the
 * rounding, and components longer than two overflow.
 */
function roundToByteStep(value: f64): f64 {
  return <f64>(((<i32>round(63 * value)) << 24) >> 24) / 63;
}
