/** Draws outlines one device pixel wide, as MapLibre does around areas. */
import { addressOf, blend, endColumn, firstColumn, maxX, maxY, minX, minY } from './blend';
import { smoothStep } from './dash';
import { fromX, fromY, nextEdge, startEdges, toX, toY } from './edges';

/** Draws the segments between some successive points of a ring, moved and then scaled, with the tint. */
export function drawHairlines(points: i32, dx: f64, dy: f64, scale: f64): void {
  startEdges(dx, dy, scale);
  for (let i = 1; i < points; i++) {
    nextEdge(i);
    if (abs(toY - fromY) > abs(toX - fromX)) drawSteep(fromX, fromY, toX, toY);
    else drawFlat(fromX, fromY, toX, toY);
  }
}

/**
 * Draws one pixel for each column that a segment crosses. Pixels get fainter with the distance of their center
 * from the segment.
 */
function drawFlat(x0: f64, y0: f64, x1: f64, y1: f64): void {
  const slope = (y1 - y0) / (x1 - x0);
  const from = <i32>max<f64>(minX, ceil(min(x0, x1) - 0.5));
  const to = <i32>min<f64>(maxX, ceil(max(x0, x1) - 0.5));
  for (let x = from; x < to; x++) {
    const across = y0 + (<f64>x + 0.5 - x0) * slope;
    const nearest = floor(across);
    const y = <i32>nearest;
    if (y < minY || y >= maxY || x < firstColumn(y) || x >= endColumn(y)) continue;
    blend(addressOf(x, y), 1 - smoothStep(abs(across - nearest - 0.5)));
  }
}

/** Draws one pixel for each row. Halfway between two pixels, the left one is drawn. */
function drawSteep(x0: f64, y0: f64, x1: f64, y1: f64): void {
  const slope = (x1 - x0) / (y1 - y0);
  const from = <i32>max<f64>(minY, ceil(min(y0, y1) - 0.5));
  const to = <i32>min<f64>(maxY, ceil(max(y0, y1) - 0.5));
  for (let y = from; y < to; y++) {
    const across = x0 + (<f64>y + 0.5 - y0) * slope;
    const nearest = ceil(across) - 1;
    const x = <i32>nearest;
    if (x < firstColumn(y) || x >= endColumn(y)) continue;
    blend(addressOf(x, y), 1 - smoothStep(abs(across - nearest - 0.5)));
  }
}
