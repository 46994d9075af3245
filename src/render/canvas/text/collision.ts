/** Which boxes are taken: a uniform grid, so that a query looks at its neighbourhood only. */
import { rectsMeet, type RectPx } from '../../../spatial/flat.ts';

/** A few labels wide and tall. */
const CELL_PX = 64;

export class CollisionGrid {
  private readonly cells = new Map<number, RectPx[]>();

  add(box: RectPx): void {
    for (const key of cellKeys(box)) {
      const cell = this.cells.get(key);
      if (cell === undefined) this.cells.set(key, [box]);
      else cell.push(box);
    }
  }

  isFree(box: RectPx): boolean {
    for (const key of cellKeys(box)) {
      if (this.cells.get(key)?.some((taken) => rectsMeet(taken, box))) return false;
    }
    return true;
  }
}

function* cellKeys(box: RectPx): Generator<number> {
  const lastColumn = Math.floor(box.maxX / CELL_PX);
  const lastRow = Math.floor(box.maxY / CELL_PX);
  for (let row = Math.floor(box.minY / CELL_PX); row <= lastRow; row++) {
    for (let column = Math.floor(box.minX / CELL_PX); column <= lastColumn; column++) {
      yield row * 65_536 + column;
    }
  }
}
