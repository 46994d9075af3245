/** Maps pixels of the picture to positions in a texture, as graphics cards interpolate them. */
import type { RectPx } from '../../../base/spatial/flat.ts';

/**
 * A projective mapping as a 3 by 3 matrix, row by row: (x, y, 1) to (u w, v w, w). u and v go from 0 to 1
 * across the texture. w is constant unless the texture is drawn in perspective.
 */
export type Warp = Float64Array;

/** A corner of a textured triangle. `weight` is 1 unless the texture is drawn in perspective. */
interface TexturedCorner {
  x: number;
  y: number;
  u: number;
  v: number;
  weight: number;
}

/** The warp that shows a whole texture in a rectangle. */
export function warpOfRect({ minX, minY, maxX, maxY }: RectPx): Warp {
  const width = maxX - minX;
  const height = maxY - minY;
  return Float64Array.of(1 / width, 0, -minX / width, 0, 1 / height, -minY / height, 0, 0, 1);
}

/** The warp that interpolates linearly between the corners of a triangle; null without an area. */
export function warpOfTriangle(
  a: TexturedCorner,
  b: TexturedCorner,
  c: TexturedCorner,
): Warp | null {
  const area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  if (area === 0) return null;
  const warp = new Float64Array(9);
  const setRow = (row: number, atA: number, atB: number, atC: number) => {
    const dx = ((atB - atA) * (c.y - a.y) - (atC - atA) * (b.y - a.y)) / area;
    const dy = ((atC - atA) * (b.x - a.x) - (atB - atA) * (c.x - a.x)) / area;
    warp[row] = dx;
    warp[row + 1] = dy;
    warp[row + 2] = atA - dx * a.x - dy * a.y;
  };
  setRow(0, a.u * a.weight, b.u * b.weight, c.u * c.weight);
  setRow(3, a.v * a.weight, b.v * b.weight, c.v * c.weight);
  setRow(6, a.weight, b.weight, c.weight);
  return warp;
}

/** Applies `inner` first. */
export function composeWarps(outer: Warp, inner: Warp): Warp {
  const product = new Float64Array(9);
  for (let row = 0; row < 9; row += 3) {
    for (let column = 0; column < 3; column++) {
      product[row + column] =
        outer[row]! * inner[column]! +
        outer[row + 1]! * inner[3 + column]! +
        outer[row + 2]! * inner[6 + column]!;
    }
  }
  return product;
}

/** Whether w is the same everywhere. */
export const isAffine = (warp: Warp) => warp[6] === 0 && warp[7] === 0;
