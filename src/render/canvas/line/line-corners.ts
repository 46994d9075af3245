/**
 * The corners of a line's strip. They are stored as numbers, because objects would take most of the time of
 * meshing.
 */

/** Numbers per corner */
const SIZE = 9;

/**
 * A corner is at (x, y), moved by half a line width along `extrude` and by the line's offset along `offset`.
 * Its side is -1 on the left of the strip and 1 on the right; `capEnd` is 1 at the end of a round cap.
 */
export class LineCorners {
  count = 0;
  /** The numbers of each corner, in the order of the methods below */
  values = new Float64Array(1024 * SIZE);

  /** Makes room for a corner. @returns where its numbers start in `values`, which may be new ones */
  next(): number {
    const at = this.count++ * SIZE;
    if (at === this.values.length) {
      const { values } = this;
      this.values = new Float64Array(2 * at);
      this.values.set(values);
    }
    return at;
  }

  x(i: number): number {
    return this.values[i * SIZE]!;
  }

  y(i: number): number {
    return this.values[i * SIZE + 1]!;
  }

  extrudeX(i: number): number {
    return this.values[i * SIZE + 2]!;
  }

  extrudeY(i: number): number {
    return this.values[i * SIZE + 3]!;
  }

  offsetX(i: number): number {
    return this.values[i * SIZE + 4]!;
  }

  offsetY(i: number): number {
    return this.values[i * SIZE + 5]!;
  }

  side(i: number): number {
    return this.values[i * SIZE + 6]!;
  }

  capEnd(i: number): number {
    return this.values[i * SIZE + 7]!;
  }

  /** Distance along the line */
  alongPx(i: number): number {
    return this.values[i * SIZE + 8]!;
  }
}
