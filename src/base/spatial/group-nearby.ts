/**
 * Groups boxes into areas by single linkage: two boxes are in the same area if a chain of boxes without
 * large gaps connects them.
 */
import type { Bbox } from './bbox.ts';
import { UnionFind } from './union-find.ts';

/** On a great circle of a sphere with WGS 84's mean radius, 6,371.0 km */
const KM_PER_DEGREE = 111.195;

/** Larger than the number of rows in any grid */
const ROW_STRIDE = 2 ** 26;

/**
 * Returns the indices of the boxes in each area. Areas are in the order of their first box. Gaps are
 * not measured across the antimeridian, because its two sides are far apart on every map.
 *
 * 1. Join all boxes that touch the same cell of a grid. A cell's diagonal is at most the gap.
 * 2. Compare boxes of nearby cells that aren't joined yet. In a country full of ZIP codes, only a few are
 *    left; a spatial index would return thousands of pairs.
 */
export function groupNearby(boxes: readonly Bbox[], gapKm: number): number[][] {
  const cellDeg = gapKm / KM_PER_DEGREE / Math.SQRT2;
  const sets = new UnionFind(boxes.length);
  const cells = new Map<number, number[]>();
  for (const [index, [west, south, east, north]] of boxes.entries()) {
    for (let x = Math.floor(west / cellDeg); x <= Math.floor(east / cellDeg); x++) {
      for (let y = Math.floor(south / cellDeg); y <= Math.floor(north / cellDeg); y++) {
        const key = x * ROW_STRIDE + y;
        const cell = cells.get(key);
        if (cell === undefined) cells.set(key, [index]);
        else {
          cell.push(index);
          sets.join(cell[0]!, index);
        }
      }
    }
  }

  for (const [key, cell] of cells) {
    const y = (((key % ROW_STRIDE) + ROW_STRIDE * 1.5) % ROW_STRIDE) - ROW_STRIDE / 2;
    const poleward = Math.min(90, (Math.abs(y) + 3) * cellDeg);
    const columns = Math.ceil(Math.SQRT2 / Math.max(0.01, cosine(poleward)));
    for (let dx = 0; dx <= columns; dx++) {
      for (let dy = dx === 0 ? 1 : -2; dy <= 2; dy++) {
        const near = cells.get(key + dx * ROW_STRIDE + dy);
        if (near === undefined || sets.areJoined(cell[0]!, near[0]!)) continue;
        const areNear = cell.some((a) =>
          near.some((b) => gapBetweenKm(boxes[a]!, boxes[b]!) <= gapKm),
        );
        if (areNear) sets.join(cell[0]!, near[0]!);
      }
    }
  }
  return sets.groups();
}

/** Kilometers between the nearest points of two boxes; 0 if they touch. */
export function gapBetweenKm(a: Bbox, b: Bbox): number {
  const lngs = Math.max(0, a[0] - b[2], b[0] - a[2]);
  const lats = Math.max(0, a[1] - b[3], b[1] - a[3]);
  const latBetween = (Math.max(a[1], b[1]) + Math.min(a[3], b[3])) / 2;
  return KM_PER_DEGREE * Math.hypot(lngs * cosine(latBetween), lats);
}

function cosine(degrees: number): number {
  return Math.cos((degrees * Math.PI) / 180);
}
