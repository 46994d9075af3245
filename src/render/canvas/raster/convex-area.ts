/** A convex area of the picture, as the range of pixels in each of its rows. */
import type { FlatPoints, RectPx } from '../../../base/spatial/flat.ts';
import { firstPixelFrom, firstRowFrom } from './pixel-grid.ts';

export class ConvexArea {
  /** First column and row, and those after the last */
  readonly box: RectPx;
  /** By row of the box */
  private readonly first: Int32Array;
  private readonly end: Int32Array;
  /** Whether it contains every pixel of the picture */
  readonly isWhole: boolean;

  /**
   * @param corners in device pixels. Areas that share an edge never share a pixel and leave no pixel
   *   between them.
   */
  constructor(corners: FlatPoints, width: number, height: number) {
    const ys = corners.filter((_, i) => i % 2 === 1);
    const top = Math.max(0, Math.min(height, firstRowFrom(Math.min(...ys))));
    const bottom = Math.max(top, Math.min(height, firstRowFrom(Math.max(...ys))));
    this.first = new Int32Array(bottom - top).fill(width);
    this.end = new Int32Array(bottom - top);
    let xa = corners[corners.length - 2]!;
    let ya = corners[corners.length - 1]!;
    for (let i = 0; i < corners.length; i += 2) {
      const xb = corners[i]!;
      const yb = corners[i + 1]!;
      const isDown = ya < yb;
      const from = Math.max(top, firstRowFrom(isDown ? ya : yb));
      const to = Math.min(bottom, firstRowFrom(isDown ? yb : ya));
      const slope = (xb - xa) / (yb - ya);
      for (let y = from; y < to; y++) {
        // Computed from the upper end, so that areas that share the edge get the same number.
        const x = (isDown ? xa : xb) + (y + 0.5 - (isDown ? ya : yb)) * slope;
        const column = Math.max(0, Math.min(width, firstPixelFrom(x)));
        if (column < this.first[y - top]!) this.first[y - top] = column;
        if (column > this.end[y - top]!) this.end[y - top] = column;
      }
      [xa, ya] = [xb, yb];
    }
    this.isWhole =
      bottom - top === height &&
      this.first.every((column) => column === 0) &&
      this.end.every((column) => column === width);
    this.box = {
      minX: least(this.first, width),
      minY: top,
      maxX: greatest(this.end),
      maxY: bottom,
    };
  }

  /** The first column of a row inside the box. */
  firstColumn(y: number): number {
    return this.first[y - this.box.minY]!;
  }

  /** The column after the last of a row inside the box. */
  endColumn(y: number): number {
    return this.end[y - this.box.minY]!;
  }
}

function least(columns: Int32Array, otherwise: number): number {
  return columns.reduce((least, column) => Math.min(least, column), otherwise);
}

function greatest(columns: Int32Array): number {
  return columns.reduce((greatest, column) => Math.max(greatest, column), 0);
}
