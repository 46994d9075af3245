/** Filling a polygon as a graphics card does: the pixels whose centres lie inside, no edge smoothed. */
import type { FlatPoints } from '../../../spatial/flat.ts';
import { firstCentre, type Pixels, type Tint } from './pixels.ts';

/**
 * Rings in device pixels; what an odd number of them surrounds is inside. Two polygons that share
 * an edge share no pixel, and leave none between them.
 */
export function fillPolygon(pixels: Pixels, rings: readonly FlatPoints[], tint: Tint): void {
  const { top, bottom } = rowsOf(pixels, rings);
  if (top >= bottom) return;
  crossings.reset(bottom - top);
  for (const ring of rings) crossRows(ring, top, bottom);
  for (let y = top; y < bottom; y++) {
    const count = crossings.sortRow(y - top);
    const { sorted } = crossings;
    for (let i = 0; i < count; i += 2) pixels.fillRow(y, sorted[i]!, sorted[i + 1]!, tint);
  }
}

function rowsOf({ clip }: Pixels, rings: readonly FlatPoints[]): { top: number; bottom: number } {
  let minY = Infinity;
  let maxY = -Infinity;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i += 2) {
      if (ring[i]! < minY) minY = ring[i]!;
      if (ring[i]! > maxY) maxY = ring[i]!;
    }
  }
  return {
    top: Math.max(clip.minY, firstCentre(minY)),
    bottom: Math.min(clip.maxY, firstCentre(maxY)),
  };
}

/** Notes where the edges of a ring cross the centre lines of rows. */
function crossRows(ring: FlatPoints, top: number, bottom: number): void {
  let xa = ring[ring.length - 2]!;
  let ya = ring[ring.length - 1]!;
  for (let i = 0; i < ring.length; i += 2) {
    const xb = ring[i]!;
    const yb = ring[i + 1]!;
    const from = Math.max(top, firstCentre(Math.min(ya, yb)));
    const to = Math.min(bottom, firstCentre(Math.max(ya, yb)));
    if (from < to) {
      // Always from its upper end, so that an edge shared by two polygons is the same number.
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

/** Places on rows, a chain for each row. It is kept: polygons are many, and most of them small. */
class Crossings {
  /** The places of the row that was sorted last */
  sorted = new Float64Array(64);
  private first = new Int32Array(64);
  private next = new Int32Array(1024);
  private places = new Float64Array(1024);
  private count = 0;

  reset(rows: number): void {
    if (rows > this.first.length) this.first = new Int32Array(2 * rows);
    this.first.fill(-1, 0, rows);
    this.count = 0;
  }

  add(row: number, place: number): void {
    if (this.count === this.places.length) this.grow();
    this.places[this.count] = place;
    this.next[this.count] = this.first[row]!;
    this.first[row] = this.count++;
  }

  /** Puts a row's places in order, by insertion: they are few. @returns how many they are */
  sortRow(row: number): number {
    let count = 0;
    for (let at = this.first[row]!; at >= 0; at = this.next[at]!) {
      if (count === this.sorted.length) this.sorted = enlarged(this.sorted);
      const place = this.places[at]!;
      let i = count++;
      for (; i > 0 && this.sorted[i - 1]! > place; i--) this.sorted[i] = this.sorted[i - 1]!;
      this.sorted[i] = place;
    }
    return count;
  }

  private grow(): void {
    this.places = enlarged(this.places);
    const next = new Int32Array(this.places.length);
    next.set(this.next);
    this.next = next;
  }
}

function enlarged(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

const crossings = new Crossings();
