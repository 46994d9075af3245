import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { areaPx, type RectPx } from '../../../src/base/spatial/flat.ts';
import { freeRects, freeRectsBeside } from '../../../src/base/spatial/free-rects.ts';

const CELL_PX = 10;
const [COLUMNS, ROWS] = [9, 7];
const ROOM = { minX: 4, minY: 6, maxX: 4 + COLUMNS * CELL_PX, maxY: 6 + ROWS * CELL_PX };

/** A rectangle of whole cells */
const cells = (left: number, top: number, right: number, bottom: number): RectPx => ({
  minX: ROOM.minX + left * CELL_PX,
  minY: ROOM.minY + top * CELL_PX,
  maxX: ROOM.minX + right * CELL_PX,
  maxY: ROOM.minY + bottom * CELL_PX,
});

function* allRects(): Generator<RectPx> {
  for (let left = 0; left < COLUMNS; left++) {
    for (let top = 0; top < ROWS; top++) {
      for (let right = left + 1; right <= COLUMNS; right++) {
        for (let bottom = top + 1; bottom <= ROWS; bottom++) yield cells(left, top, right, bottom);
      }
    }
  }
}

const overlap = (a: RectPx, b: RectPx) =>
  a.minX < b.maxX && a.maxX > b.minX && a.minY < b.maxY && a.maxY > b.minY;
const contains = (a: RectPx, b: RectPx) =>
  a.minX <= b.minX && a.maxX >= b.maxX && a.minY <= b.minY && a.maxY >= b.maxY;
const textOf = ({ minX, minY, maxX, maxY }: RectPx) => [minX, minY, maxX, maxY].join();

const obstacle = fc
  .record({
    x: fc.integer({ min: -2, max: COLUMNS }),
    y: fc.integer({ min: -2, max: ROWS }),
    width: fc.integer({ min: 1, max: 4 }),
    height: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ x, y, width, height }) => cells(x, y, x + width, y + height));
/** Obstacles end inside cells, so that they don't reach into the neighboring ones. */
const inside = (obstacles: readonly RectPx[]) =>
  obstacles.map((box) => ({ ...box, maxX: box.maxX - 1, maxY: box.maxY - 1 }));
const minSide = fc.constantFrom(CELL_PX, 2 * CELL_PX);

it('finds all free rectangles that no other one contains, the largest first', () => {
  fc.assert(
    fc.property(fc.array(obstacle, { maxLength: 8 }), minSide, (obstacles, minSidePx) => {
      const free = [...allRects()].filter((rect) => !obstacles.some((box) => overlap(rect, box)));
      const largest = free
        .filter((rect) => !free.some((other) => other !== rect && contains(other, rect)))
        .filter((rect) => Math.min(rect.maxX - rect.minX, rect.maxY - rect.minY) >= minSidePx);
      const found = freeRects({ room: ROOM, cellPx: CELL_PX, minSidePx }, inside(obstacles));
      expect(found.map(textOf).sort()).toEqual(largest.map(textOf).sort());
      expect(found.map(areaPx)).toEqual(found.map(areaPx).sort((a, b) => b - a));
    }),
  );
});

it('finds the same rectangles if some obstacles are added later', () => {
  const obstacles = fc.array(obstacle, { maxLength: 5 });
  fc.assert(
    fc.property(obstacles, obstacles, minSide, (first, later, minSidePx) => {
      const grid = { room: ROOM, cellPx: CELL_PX, minSidePx };
      const split = freeRectsBeside(grid, freeRects(grid, inside(first)), inside(later));
      expect(split).toEqual(freeRects(grid, inside([...first, ...later])));
    }),
  );
});

it('finds none in a room that is smaller than a cell', () => {
  const grid = { room: { ...ROOM, maxX: 10 }, cellPx: CELL_PX, minSidePx: 1 };
  expect(freeRects(grid, [])).toEqual([]);
});
