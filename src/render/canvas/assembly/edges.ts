/** The edges of a ring, in device pixels. */
import { RING } from '../kernel-memory';
import { snapToSubpixel } from './snap';

/** The ends of the current edge */
export let fromX: f64 = 0;
export let fromY: f64 = 0;
export let toX: f64 = 0;
export let toY: f64 = 0;

let moveX: f64 = 0;
let moveY: f64 = 0;
let factor: f64 = 1;

/** Starts at the first point. Points are moved and then scaled. */
export function startEdges(dx: f64, dy: f64, scale: f64): void {
  moveX = dx;
  moveY = dy;
  factor = scale;
  goTo(0);
}

/** Goes to the edge that ends at a point. */
export function nextEdge(point: i32): void {
  fromX = toX;
  fromY = toY;
  goTo(point);
}

function goTo(point: i32): void {
  const at = RING + 16 * point;
  toX = snapToSubpixel((load<f64>(at) + moveX) * factor);
  toY = snapToSubpixel((load<f64>(at, 8) + moveY) * factor);
}
