/** The corners of a line's strip, which a kernel meshes (`assembly/mesh.ts`). */
import { CORNER, CORNERS } from '../kernel-memory.ts';

/** Numbers per corner */
const SIZE = CORNER / 8;

/**
 * A corner is at (x, y), moved by half a line width along `extrude` and by the line's offset along `offset`.
 * Its side is -1 on the left of the strip and 1 on the right; `capEnd` is 1 at the end of a round cap.
 */
export class LineCorners {
  readonly count: number;
  private readonly doubles: Float64Array;

  /** @param doubles memory of the kernel */
  constructor(count: number, doubles: Float64Array) {
    this.count = count;
    this.doubles = doubles;
  }

  x(i: number): number {
    return this.at(i, 0);
  }

  y(i: number): number {
    return this.at(i, 1);
  }

  extrudeX(i: number): number {
    return this.at(i, 2);
  }

  extrudeY(i: number): number {
    return this.at(i, 3);
  }

  offsetX(i: number): number {
    return this.at(i, 4);
  }

  offsetY(i: number): number {
    return this.at(i, 5);
  }

  side(i: number): number {
    return this.at(i, 6);
  }

  capEnd(i: number): number {
    return this.at(i, 7);
  }

  /** Distance along the line, in the units of `LineMeasure` */
  along(i: number): number {
    return this.at(i, 8);
  }

  private at(i: number, number: number): number {
    return this.doubles[CORNERS / 8 + i * SIZE + number]!;
  }
}
