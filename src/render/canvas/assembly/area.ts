/**
 * Fills polygons as a graphics card does: all pixels whose centers lie inside, with hard edges, by the even-odd
 * rule. Polygons that share an edge never share a pixel and leave no pixel between them.
 */
import { CROSSINGS, MAX_CROSSINGS } from '../kernel-memory';
import { crossingRows, endColumn, fillRun, firstColumn, maxY, minY } from './blend';
import { fromX, fromY, nextEdge, startEdges, toX, toY } from './edges';

/** A crossing of an edge and a row: its x, and the next one of the row to the right, or 0 */
const NEXT: i32 = 8;
const CROSSING: i32 = 12;

/** Where the next crossing is written */
let free: i32 = CROSSINGS;
/** The rows with crossings */
let top: i32 = 0;
let bottom: i32 = 0;

export function startArea(): void {
  free = CROSSINGS;
  top = maxY;
  bottom = minY;
}

/**
 * Adds the edges between some successive points of a ring, moved and then scaled.
 *
 * @returns whether there was room for their crossings
 */
export function addEdges(points: i32, dx: f64, dy: f64, scale: f64): bool {
  startEdges(dx, dy, scale);
  for (let i = 1; i < points; i++) {
    nextEdge(i);
    const from = <i32>max<f64>(minY, floor(min(fromY, toY) + 0.5));
    const to = <i32>min<f64>(maxY, floor(max(fromY, toY) + 0.5));
    if (from >= to) continue;
    if (free + (to - from) * CROSSING > CROSSINGS + MAX_CROSSINGS * CROSSING) return false;
    // Computed from the upper end, so that polygons that share the edge get the same number.
    const isDown = fromY < toY;
    const x0 = isDown ? fromX : toX;
    const y0 = isDown ? fromY : toY;
    const slope = (toX - fromX) / (toY - fromY);
    for (let y = from; y < to; y++) addCrossing(y, x0 + (<f64>y + 0.5 - y0) * slope);
    top = min(top, from);
    bottom = max(bottom, to);
  }
  return true;
}

/** Inserts a crossing in the order of the row, which has few. */
function addCrossing(y: i32, x: f64): void {
  let link = crossingRows + 4 * y;
  let at = load<i32>(link);
  while (at !== 0 && load<f64>(at) < x) {
    link = at + NEXT;
    at = load<i32>(link);
  }
  store<f64>(free, x);
  store<i32>(free, at, NEXT);
  store<i32>(link, free);
  free += CROSSING;
}

/** Fills the polygon of the added rings with the tint. */
export function fillArea(): void {
  for (let y = top; y < bottom; y++) {
    let at = takeRow(y);
    while (at !== 0) {
      const left = load<f64>(at);
      at = load<i32>(at, NEXT);
      if (at === 0) break;
      const right = load<f64>(at);
      at = load<i32>(at, NEXT);
      const from = <i32>max<f64>(firstColumn(y), ceil(left - 0.5));
      const to = <i32>min<f64>(endColumn(y), ceil(right - 0.5));
      if (from < to) fillRun(y, from, to);
    }
  }
}

/** Forgets the added rings. */
export function dropArea(): void {
  for (let y = top; y < bottom; y++) takeRow(y);
}

/** Returns the first crossing of a row, and empties the row for the next polygon. */
function takeRow(y: i32): i32 {
  const row = crossingRows + 4 * y;
  const at = load<i32>(row);
  store<i32>(row, 0);
  return at;
}
