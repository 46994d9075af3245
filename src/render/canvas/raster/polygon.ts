/** Fills polygons as a graphics card does: all pixels whose centers lie inside, with hard edges. */
import type { FlatPoints } from '../../../base/spatial/flat.ts';
import type { Ink, Tint } from './ink.ts';
import type { Pixels } from './pixels.ts';
import { firstRowFrom } from './pixel-grid.ts';

/**
 * Fills a polygon by the even-odd rule. Polygons that share an edge never share a pixel and leave no
 * pixel between them.
 *
 * @param rings in device pixels
 */
export function fillPolygon(pixels: Pixels, rings: readonly FlatPoints[], tint: Tint): void {
  eachRun(pixels, rings, (y, from, to) => pixels.fillRow(y, from, to, tint));
}

/** Like `fillPolygon`, with colors that vary, at an opacity (0..1). */
export function inkPolygon(
  pixels: Pixels,
  rings: readonly FlatPoints[],
  ink: Ink,
  opacity: number,
): void {
  eachRun(pixels, rings, (y, from, to) => pixels.fillRowWith(y, from, to, ink, opacity));
}

/** Passes the parts of rows inside a polygon to `fill`, row by row. */
export function eachRun(
  pixels: Pixels,
  rings: readonly FlatPoints[],
  fill: (y: number, from: number, to: number) => void,
): void {
  const { top, bottom } = rowRange(pixels, rings);
  if (top >= bottom) return;
  crossings.reset(bottom - top);
  for (const ring of rings) crossRows(ring, top, bottom);
  for (let y = top; y < bottom; y++) {
    const count = crossings.sortRow(y - top);
    const { sorted } = crossings;
    for (let i = 0; i < count; i += 2) fill(y, sorted[i]!, sorted[i + 1]!);
  }
}

function rowRange({ clip }: Pixels, rings: readonly FlatPoints[]): { top: number; bottom: number } {
  let minY = Infinity;
  let maxY = -Infinity;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i += 2) {
      if (ring[i]! < minY) minY = ring[i]!;
      if (ring[i]! > maxY) maxY = ring[i]!;
    }
  }
  return {
    top: Math.max(clip.minY, firstRowFrom(minY)),
    bottom: Math.min(clip.maxY, firstRowFrom(maxY)),
  };
}

/** Records where the edges of a ring cross the center lines of rows. */
function crossRows(ring: FlatPoints, top: number, bottom: number): void {
  let xa = ring[ring.length - 2]!;
  let ya = ring[ring.length - 1]!;
  for (let i = 0; i < ring.length; i += 2) {
    const xb = ring[i]!;
    const yb = ring[i + 1]!;
    const from = Math.max(top, firstRowFrom(Math.min(ya, yb)));
    const to = Math.min(bottom, firstRowFrom(Math.max(ya, yb)));
    if (from < to) {
      // Computed from the upper end, so that polygons that share the edge get the same number.
      const isDown = ya < yb;
      const x0 = isDown ? xa : xb;
      const y0 = isDown ? ya : yb;
      const slope = (xb - xa) / (yb - ya);
      for (let y = from; y < to; y++) crossings.add(y - top, x0 + (y + 0.5 - y0) * slope);
    }
    xa = xb;
    ya = yb;
  }
}

/** Crossings of rings and rows, as a linked list per row. Reused, because most polygons are small. */
class Crossings {
  /** x of the crossings in the row that was sorted last */
  sorted = new Float64Array(64);
  private first = new Int32Array(64);
  private next = new Int32Array(1024);
  private xs = new Float64Array(1024);
  private count = 0;

  reset(rows: number): void {
    if (rows > this.first.length) this.first = new Int32Array(2 * rows);
    this.first.fill(-1, 0, rows);
    this.count = 0;
  }

  add(row: number, x: number): void {
    if (this.count === this.xs.length) this.grow();
    this.xs[this.count] = x;
    this.next[this.count] = this.first[row]!;
    this.first[row] = this.count++;
  }

  /** Sorts the crossings of a row by insertion, since they are few. @returns their number */
  sortRow(row: number): number {
    let count = 0;
    for (let at = this.first[row]!; at >= 0; at = this.next[at]!) {
      if (count === this.sorted.length) this.sorted = doubleCapacity(this.sorted);
      const x = this.xs[at]!;
      let i = count++;
      for (; i > 0 && this.sorted[i - 1]! > x; i--) this.sorted[i] = this.sorted[i - 1]!;
      this.sorted[i] = x;
    }
    return count;
  }

  private grow(): void {
    this.xs = doubleCapacity(this.xs);
    const next = new Int32Array(this.xs.length);
    next.set(this.next);
    this.next = next;
  }
}

function doubleCapacity(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

const crossings = new Crossings();
