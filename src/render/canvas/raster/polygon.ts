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

  // Where the edges cross each row's centre line, row after row in one array: counted, then filled.
  const starts = new Uint32Array(bottom - top + 1);
  forEachEdge(pixels, rings, (_x, _y, _slope, from, to) => {
    for (let y = from; y < to; y++) starts[y - top + 1]!++;
  });
  for (let row = 1; row < starts.length; row++) starts[row]! += starts[row - 1]!;
  const crossings = new Float64Array(starts.at(-1)!);
  const ends = starts.slice(0, -1);
  forEachEdge(pixels, rings, (x0, y0, slope, from, to) => {
    for (let y = from; y < to; y++) crossings[ends[y - top]!++] = x0 + (y + 0.5 - y0) * slope;
  });

  for (let y = top; y < bottom; y++) {
    const start = starts[y - top]!;
    const end = starts[y - top + 1]!;
    if (end - start > 2) crossings.subarray(start, end).sort();
    for (let i = start; i < end; i += 2) {
      const a = crossings[i]!;
      const b = crossings[i + 1]!;
      pixels.fillRow(y, Math.min(a, b), Math.max(a, b), tint);
    }
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

/** Calls back with the upper end of each edge, its slope and the rows whose centres it crosses. */
function forEachEdge(
  { clip }: Pixels,
  rings: readonly FlatPoints[],
  visit: (x0: number, y0: number, slope: number, from: number, to: number) => void,
): void {
  for (const ring of rings) {
    let xa = ring[ring.length - 2]!;
    let ya = ring[ring.length - 1]!;
    for (let i = 0; i < ring.length; i += 2) {
      const xb = ring[i]!;
      const yb = ring[i + 1]!;
      const from = Math.max(clip.minY, firstCentre(Math.min(ya, yb)));
      const to = Math.min(clip.maxY, firstCentre(Math.max(ya, yb)));
      if (from < to) {
        // Always from its upper end, so that an edge shared by two polygons is the same number.
        const [x0, y0] = ya < yb ? [xa, ya] : [xb, yb];
        visit(x0, y0, (xb - xa) / (yb - ya), from, to);
      }
      xa = xb;
      ya = yb;
    }
  }
}
