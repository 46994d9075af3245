/**
 * Rasterizes a line: a strip of triangles, each sharing two corners with the one before. A pixel belongs to the
 * triangle that contains its center, so adjacent triangles never draw it twice. As in MapLibre, a line that
 * crosses itself draws the crossing twice.
 */
import { addressOf, blend, endColumn, firstColumn, maxX, maxY, minX, minY } from './blend';
import { dashCoverage, hasDash } from './dash';
import { CORNER, CORNERS, MATRIX, PLACED } from '../kernel-memory';
import { snapToSubpixel } from './snap';

/** Distance from the line's middle to the outside of its smoothed edge, in CSS pixels */
let outerPx: f64 = 0;
/** Distance to the outside of the smoothed edge of its gap; 0 without a gap */
let innerPx: f64 = 0;
/** Width over which an edge fades, smoothing included */
let fadePx: f64 = 0;
let isDashed: bool = false;

/** Moves the line on the plane, in CSS pixels */
let moveX: f64 = 0;
let moveY: f64 = 0;
/** Moves the line to its right, in CSS pixels */
let offsetPx: f64 = 0;
let pixelRatio: f64 = 1;
let isLevel: bool = true;

/** The latest corners on both sides, and the next one; 0 before the first */
let left: i32 = 0;
let right: i32 = 0;
let next: i32 = PLACED;

/** Values interpolated linearly across a triangle: at the center of the first pixel, and its changes */
let sideOrigin: f64 = 0;
let sideAcross: f64 = 0;
let sideDown: f64 = 0;
let capOrigin: f64 = 0;
let capAcross: f64 = 0;
let capDown: f64 = 0;
let alongOrigin: f64 = 0;
let alongAcross: f64 = 0;
let alongDown: f64 = 0;

export function startStrip(
  outer: f64,
  inner: f64,
  fade: f64,
  dx: f64,
  dy: f64,
  offset: f64,
  ratio: f64,
  level: bool,
): void {
  outerPx = outer;
  innerPx = inner;
  fadePx = fade;
  isDashed = hasDash();
  moveX = dx;
  moveY = dy;
  offsetPx = offset;
  pixelRatio = ratio;
  isLevel = level;
  left = 0;
  right = 0;
  next = PLACED;
}

/** Draws the meshed corners as soon as three are known. */
export function fillStrip(count: i32): void {
  const end = CORNERS + CORNER * count;
  for (let at = CORNERS; at < end; at += CORNER) {
    place(at);
    if (left !== 0 && right !== 0) fillTriangle(left, next, right);
    // The next corner is written where the one that it replaces was, or to a new place.
    if (load<f64>(next, SIDE) < 0) {
      const replaced = left;
      left = next;
      next = replaced !== 0 ? replaced : freePlace();
    } else {
      const replaced = right;
      right = next;
      next = replaced !== 0 ? replaced : freePlace();
    }
  }
}

/** Offsets of a placed corner's numbers */
const Y: i32 = 8;
const SIDE: i32 = 16;
const CAP_END: i32 = 24;
const ALONG: i32 = 32;
const PLACED_SIZE: i32 = 40;

/** One of three places that holds neither the left nor the right corner. */
function freePlace(): i32 {
  let place = PLACED;
  while (place === left || place === right) place += PLACED_SIZE;
  return place;
}

/** Projects a meshed corner to the picture. */
function place(at: i32): void {
  let x = load<f64>(at) + moveX + offsetPx * load<f64>(at, 32) + outerPx * load<f64>(at, 16);
  let y = load<f64>(at, 8) + moveY + offsetPx * load<f64>(at, 40) + outerPx * load<f64>(at, 24);
  if (!isLevel) {
    const w = row(6, x, y);
    const projected = row(0, x, y) / w;
    y = row(3, x, y) / w;
    x = projected;
  }
  store<f64>(next, snapToSubpixel(x * pixelRatio));
  store<f64>(next, snapToSubpixel(y * pixelRatio), Y);
  store<f64>(next, load<f64>(at, 48), SIDE);
  store<f64>(next, load<f64>(at, 56), CAP_END);
  store<f64>(next, load<f64>(at, 64), ALONG);
}

function row(first: i32, x: f64, y: f64): f64 {
  const at = MATRIX + 8 * first;
  return load<f64>(at) * x + load<f64>(at, 8) * y + load<f64>(at, 16);
}

function fillTriangle(a: i32, b: i32, c: i32): void {
  const ax = load<f64>(a);
  const ay = load<f64>(a, Y);
  const bx = load<f64>(b);
  const by = load<f64>(b, Y);
  const cx = load<f64>(c);
  const cy = load<f64>(c, Y);
  const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
  // Also false for numbers that aren't finite
  if (!(abs(area) > 0 && abs(area) < Infinity)) return;
  const top = <i32>max<f64>(minY, floor(min(min(ay, by), cy) + 0.5));
  const bottom = <i32>min<f64>(maxY, floor(max(max(ay, by), cy) + 0.5));
  if (top >= bottom) return;
  if (ceil(max(max(ax, bx), cx) - 0.5) <= minX) return;
  if (ceil(min(min(ax, bx), cx) - 0.5) >= maxX) return;
  const isInCap = load<f64>(a, CAP_END) + load<f64>(b, CAP_END) + load<f64>(c, CAP_END) > 0;

  let ab = load<f64>(b, SIDE) - load<f64>(a, SIDE);
  let ac = load<f64>(c, SIDE) - load<f64>(a, SIDE);
  sideAcross = (ab * (cy - ay) - ac * (by - ay)) / area;
  sideDown = (ac * (bx - ax) - ab * (cx - ax)) / area;
  sideOrigin = load<f64>(a, SIDE) + sideAcross * (0.5 - ax) + sideDown * (0.5 - ay);
  if (isInCap) {
    ab = load<f64>(b, CAP_END) - load<f64>(a, CAP_END);
    ac = load<f64>(c, CAP_END) - load<f64>(a, CAP_END);
    capAcross = (ab * (cy - ay) - ac * (by - ay)) / area;
    capDown = (ac * (bx - ax) - ab * (cx - ax)) / area;
    capOrigin = load<f64>(a, CAP_END) + capAcross * (0.5 - ax) + capDown * (0.5 - ay);
  }
  if (isDashed) {
    ab = load<f64>(b, ALONG) - load<f64>(a, ALONG);
    ac = load<f64>(c, ALONG) - load<f64>(a, ALONG);
    alongAcross = (ab * (cy - ay) - ac * (by - ay)) / area;
    alongDown = (ac * (bx - ax) - ab * (cx - ax)) / area;
    alongOrigin = load<f64>(a, ALONG) + alongAcross * (0.5 - ax) + alongDown * (0.5 - ay);
  }

  for (let y = top; y < bottom; y++) {
    const center = <f64>y + 0.5;
    const aAbove = ay < center;
    const bAbove = by < center;
    const cAbove = cy < center;
    // A row crosses two of the three edges.
    let first: f64 = Infinity;
    let last: f64 = -Infinity;
    if (aAbove !== bAbove) first = last = crossing(ax, ay, bx, by, center);
    if (bAbove !== cAbove) {
      const x = crossing(bx, by, cx, cy, center);
      first = min(first, x);
      last = max(last, x);
    }
    if (cAbove !== aAbove) {
      const x = crossing(cx, cy, ax, ay, center);
      first = min(first, x);
      last = max(last, x);
    }
    const from = <i32>max<f64>(firstColumn(y), ceil(first - 0.5));
    const to = <i32>min<f64>(endColumn(y), ceil(last - 0.5));
    if (from >= to) continue;
    if (isInCap || isDashed) fillShaped(y, from, to, isInCap);
    else fillPlain(y, from, to);
  }
}

/** Returns the x at which an edge crosses a horizontal line. */
function crossing(ax: f64, ay: f64, bx: f64, by: f64, y: f64): f64 {
  // Computed from the upper end, so that triangles that share the edge get the same number.
  return ay < by
    ? ax + ((y - ay) * (bx - ax)) / (by - ay)
    : bx + ((y - by) * (ax - bx)) / (ay - by);
}

function fillPlain(y: i32, from: i32, to: i32): void {
  const origin = sideOrigin;
  const across = sideAcross;
  const down = sideDown * <f64>y;
  const outer = outerPx;
  const fade = fadePx;
  const inner = innerPx;
  let at = addressOf(from, y);
  for (let x = from; x < to; x++, at += 4) {
    const distancePx = abs(origin + across * <f64>x + down) * outer;
    const depthPx = min(distancePx - inner + fade, outer - distancePx);
    if (depthPx > 0) blend(at, depthPx >= fade ? 1 : depthPx / fade);
  }
}

/** Draws dashes and the round ends of lines. */
function fillShaped(y: i32, from: i32, to: i32, isInCap: bool): void {
  const row = <f64>y;
  let at = addressOf(from, y);
  for (let x: f64 = from; x < to; x++, at += 4) {
    const side = sideOrigin + sideAcross * x + sideDown * row;
    let distance = abs(side);
    if (isInCap) {
      const beyond = capOrigin + capAcross * x + capDown * row;
      distance = sqrt(side * side + beyond * beyond);
    }
    const distancePx = distance * outerPx;
    const depthPx = min(distancePx - innerPx + fadePx, outerPx - distancePx);
    if (depthPx <= 0) continue;
    let share = depthPx >= fadePx ? 1 : depthPx / fadePx;
    if (isDashed) share *= dashCoverage(alongOrigin + alongAcross * x + alongDown * row, side);
    blend(at, share);
  }
}
