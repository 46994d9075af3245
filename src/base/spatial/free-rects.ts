/** Finds the largest free rectangles beside obstacles. */
import { areaPx, rectContains, type RectPx } from './flat.ts';

/** Rectangles begin and end at the lines of a grid, which starts at the top left corner of the room. */
interface FreeGrid {
  room: RectPx;
  cellPx: number;
  /** Smaller rectangles are omitted */
  minSidePx: number;
}

/**
 * Returns the free rectangles that can't be extended to any side, the largest first.
 *
 * Each row of the grid is the bottom of rectangles that are as high as the free cells above it, found with a
 * stack of rising heights: the largest rectangles in a histogram.
 */
export function freeRects(grid: FreeGrid, obstacles: readonly RectPx[]): RectPx[] {
  const { room, cellPx, minSidePx } = grid;
  const columns = Math.floor((room.maxX - room.minX) / cellPx);
  const rows = Math.floor((room.maxY - room.minY) / cellPx);
  if (columns < 1 || rows < 1) return [];
  const taken = takenCells(grid, obstacles, columns, rows);
  const minCells = Math.ceil(minSidePx / cellPx);
  const heights = new Int32Array(columns + 1);
  // The open rectangles, the highest last: left column, height, and whether a taken cell is below
  const lefts = new Int32Array(columns);
  const tops = new Int32Array(columns);
  const ends = new Uint8Array(columns);
  const found: RectPx[] = [];
  for (let y = 0; y < rows; y++) {
    const row = y * columns;
    const below = row + columns;
    const isLast = y + 1 === rows;
    let open = 0;
    // The last height is 0 and closes all rectangles.
    for (let x = 0; x <= columns; x++) {
      const isFree = x < columns && taken[row + x] === 0;
      const height = isFree ? heights[x]! + 1 : 0;
      heights[x] = height;
      let start = x;
      let endsHere = isFree && (isLast || taken[below + x] !== 0) ? 1 : 0;
      while (open > 0 && tops[open - 1]! >= height) {
        open--;
        const [left, top, isEnd] = [lefts[open]!, tops[open]!, ends[open]!];
        if (isEnd && top > height && top >= minCells && x - left >= minCells) {
          found.push({
            minX: room.minX + left * cellPx,
            minY: room.minY + (y + 1 - top) * cellPx,
            maxX: room.minX + x * cellPx,
            maxY: room.minY + (y + 1) * cellPx,
          });
        }
        start = left;
        endsHere |= isEnd;
        if (open > 0) ends[open - 1]! |= isEnd;
      }
      if (height === 0) continue;
      lefts[open] = start;
      tops[open] = height;
      ends[open++] = endsHere;
    }
  }
  return found.sort(byArea);
}

/**
 * Returns the same rectangles as `freeRects` with more obstacles. It splits those that an obstacle meets, which
 * takes much less time than finding them.
 */
export function freeRectsBeside(
  { room, cellPx, minSidePx }: FreeGrid,
  rects: readonly RectPx[],
  obstacles: readonly RectPx[],
): RectPx[] {
  const lineBefore = (px: number, start: number) =>
    start + Math.floor((px - start) / cellPx) * cellPx;
  let free = [...rects];
  for (const obstacle of obstacles) {
    const minX = lineBefore(obstacle.minX, room.minX);
    const minY = lineBefore(obstacle.minY, room.minY);
    const maxX = lineBefore(obstacle.maxX, room.minX) + cellPx;
    const maxY = lineBefore(obstacle.maxY, room.minY) + cellPx;
    const whole: RectPx[] = [];
    const parts: RectPx[] = [];
    for (const rect of free) {
      if (rect.maxX <= minX || rect.minX >= maxX || rect.maxY <= minY || rect.minY >= maxY) {
        whole.push(rect);
        continue;
      }
      const [left, top, right, bottom] = [rect.minX, rect.minY, rect.maxX, rect.maxY];
      if (minX - left >= minSidePx) parts.push({ minX: left, minY: top, maxX: minX, maxY: bottom });
      if (right - maxX >= minSidePx)
        parts.push({ minX: maxX, minY: top, maxX: right, maxY: bottom });
      if (minY - top >= minSidePx) parts.push({ minX: left, minY: top, maxX: right, maxY: minY });
      if (bottom - maxY >= minSidePx)
        parts.push({ minX: left, minY: maxY, maxX: right, maxY: bottom });
    }
    // Of equal parts, the first stays.
    const isContained = (part: RectPx, i: number) =>
      whole.some((rect) => rectContains(rect, part)) ||
      parts.some(
        (rect, j) => j !== i && rectContains(rect, part) && (j < i || !rectContains(part, rect)),
      );
    free =
      parts.length === 0 ? whole : [...whole, ...parts.filter((part, i) => !isContained(part, i))];
  }
  return free.sort(byArea);
}

/** Equally large ones from the top down, and from the left to the right */
const byArea = (a: RectPx, b: RectPx) =>
  areaPx(b) - areaPx(a) || a.maxY - b.maxY || a.maxX - b.maxX || a.minY - b.minY;

/** Returns the number of obstacles in each cell, row by row, from where they begin and end. */
function takenCells(
  { room, cellPx }: FreeGrid,
  obstacles: readonly RectPx[],
  columns: number,
  rows: number,
): Int32Array {
  const taken = new Int32Array(columns * rows);
  const cellOf = (px: number, start: number) => Math.max(0, Math.floor((px - start) / cellPx));
  for (const { minX, minY, maxX, maxY } of obstacles) {
    if (maxX < room.minX || maxY < room.minY) continue;
    const [left, top] = [cellOf(minX, room.minX), cellOf(minY, room.minY)];
    if (left >= columns || top >= rows) continue;
    const right = cellOf(maxX, room.minX) + 1;
    const bottom = cellOf(maxY, room.minY) + 1;
    taken[top * columns + left]!++;
    if (right < columns) taken[top * columns + right]!--;
    if (bottom >= rows) continue;
    taken[bottom * columns + left]!--;
    if (right < columns) taken[bottom * columns + right]!++;
  }
  for (let y = 0, at = 0; y < rows; y++) {
    for (let x = 0, inRow = 0; x < columns; x++, at++) {
      inRow += taken[at]!;
      taken[at] = inRow + (y > 0 ? taken[at - columns]! : 0);
    }
  }
  return taken;
}
