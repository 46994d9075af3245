/** Finds the largest free rectangles beside obstacles. */
import type { RectPx } from './flat.ts';

/**
 * Returns the free rectangles that can't be extended to any side. They begin and end at the lines of a grid.
 *
 * Each row of the grid is the bottom of rectangles that are as high as the free cells above it, found with a
 * stack of rising heights: the largest rectangles in a histogram.
 */
export function freeRects(
  room: RectPx,
  obstacles: readonly RectPx[],
  { cellPx, minSidePx }: { cellPx: number; minSidePx: number },
): RectPx[] {
  const columns = Math.floor((room.maxX - room.minX) / cellPx);
  const rows = Math.floor((room.maxY - room.minY) / cellPx);
  if (columns < 1 || rows < 1) return [];
  const taken = takenCells(room, obstacles, cellPx, columns, rows);
  const heights = new Int32Array(columns + 1);
  const found: RectPx[] = [];
  for (let y = 0; y < rows; y++) {
    const below = (x: number) => y + 1 === rows || taken[(y + 1) * columns + x] === 1;
    for (let x = 0; x < columns; x++) heights[x] = taken[y * columns + x] ? 0 : heights[x]! + 1;
    const open: { x: number; height: number; endsHere: boolean }[] = [];
    // The last height is 0 and closes all rectangles.
    for (let x = 0; x <= columns; x++) {
      let start = x;
      let endsHere = x < columns && below(x);
      while (open.length > 0 && open.at(-1)!.height >= heights[x]!) {
        const { x: left, height, endsHere: ends } = open.pop()!;
        const isMaximal = height > heights[x]! && ends;
        if (isMaximal && (x - left) * cellPx >= minSidePx && height * cellPx >= minSidePx) {
          found.push({
            minX: room.minX + left * cellPx,
            maxX: room.minX + x * cellPx,
            minY: room.minY + (y + 1 - height) * cellPx,
            maxY: room.minY + (y + 1) * cellPx,
          });
        }
        start = left;
        endsHere ||= ends;
        if (open.length > 0) open.at(-1)!.endsHere ||= ends;
      }
      if (x < columns && heights[x]! > 0) open.push({ x: start, height: heights[x]!, endsHere });
    }
  }
  return found;
}

function takenCells(
  room: RectPx,
  obstacles: readonly RectPx[],
  cellPx: number,
  columns: number,
  rows: number,
): Uint8Array {
  const taken = new Uint8Array(columns * rows);
  const cellOf = (px: number, start: number, count: number) =>
    Math.max(0, Math.min(count, Math.floor((px - start) / cellPx)));
  for (const { minX, minY, maxX, maxY } of obstacles) {
    const [left, right] = [cellOf(minX, room.minX, columns), cellOf(maxX, room.minX, columns - 1)];
    const [top, bottom] = [cellOf(minY, room.minY, rows), cellOf(maxY, room.minY, rows - 1)];
    if (maxX < room.minX || maxY < room.minY) continue;
    for (let y = top; y <= bottom; y++) taken.fill(1, y * columns + left, y * columns + right + 1);
  }
  return taken;
}
