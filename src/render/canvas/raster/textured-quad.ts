/** Rasterizes quads with an image on them, as two triangles, like a graphics card. */
import type { Pixels } from './pixels.ts';
import { firstPixelFrom, firstRowFrom, snapToSubpixel } from './pixel-grid.ts';

/** A corner in device pixels, and the position in the image that it shows. */
export interface TexturedCorner {
  x: number;
  y: number;
  u: number;
  v: number;
  /** Distance from the camera, relative to the other corners */
  w: number;
}

/** Draws the pixel at `index`, which shows the position (u, v) of an image. */
export type DrawTexel = (index: number, u: number, v: number) => void;

/**
 * Draws nothing if a corner is behind the camera.
 *
 * @param corners top left, top right, bottom left, bottom right; null behind the camera
 */
export function fillTexturedQuad(
  pixels: Pixels,
  corners: readonly (TexturedCorner | null)[],
  draw: DrawTexel,
): void {
  if (!corners.every((corner) => corner !== null)) return;
  const [topLeft, topRight, bottomLeft, bottomRight] = corners.map(snap);
  fillTriangle(pixels, topLeft!, bottomLeft!, topRight!, draw);
  fillTriangle(pixels, topRight!, bottomLeft!, bottomRight!, draw);
}

/** Divided by the distance, positions in the image change linearly across the picture. */
function snap({ x, y, u, v, w }: TexturedCorner): TexturedCorner {
  return { x: snapToSubpixel(x), y: snapToSubpixel(y), u: u / w, v: v / w, w: 1 / w };
}

function fillTriangle(
  pixels: Pixels,
  a: TexturedCorner,
  b: TexturedCorner,
  c: TexturedCorner,
  draw: DrawTexel,
): void {
  const doubledArea = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  if (doubledArea === 0) return;
  // Change of u and v per pixel across and down
  const slope = (atA: number, atB: number, atC: number) =>
    [
      ((atB - atA) * (c.y - a.y) - (atC - atA) * (b.y - a.y)) / doubledArea,
      ((atC - atA) * (b.x - a.x) - (atB - atA) * (c.x - a.x)) / doubledArea,
    ] as const;
  const [uAcross, uDown] = slope(a.u, b.u, c.u);
  const [vAcross, vDown] = slope(a.v, b.v, c.v);
  const [wAcross, wDown] = slope(a.w, b.w, c.w);

  const edges = [edgeBetween(a, b), edgeBetween(b, c), edgeBetween(c, a)];
  const firstRow = Math.max(0, firstRowFrom(Math.min(a.y, b.y, c.y)));
  const endRow = Math.min(pixels.height, firstRowFrom(Math.max(a.y, b.y, c.y)));
  for (let row = firstRow; row < endRow; row++) {
    const y = row + 0.5;
    let left = Infinity;
    let right = -Infinity;
    for (const { top, bottom, x, slope } of edges) {
      if (y <= top || y > bottom) continue;
      const crossing = x + (y - top) * slope;
      if (crossing < left) left = crossing;
      if (crossing > right) right = crossing;
    }
    const end = Math.min(pixels.width, firstPixelFrom(right));
    for (let column = Math.max(0, firstPixelFrom(left)); column < end; column++) {
      const dx = column + 0.5 - a.x;
      const dy = y - a.y;
      const w = a.w + dx * wAcross + dy * wDown;
      draw(
        row * pixels.width + column,
        (a.u + dx * uAcross + dy * uDown) / w,
        (a.v + dx * vAcross + dy * vDown) / w,
      );
    }
  }
}

/** Triangles that share an edge compute the same crossings, so they neither overlap nor leave gaps. */
function edgeBetween(a: TexturedCorner, b: TexturedCorner) {
  const [upper, lower] = a.y < b.y ? [a, b] : [b, a];
  const slope = (lower.x - upper.x) / (lower.y - upper.y);
  return { top: upper.y, bottom: lower.y, x: upper.x, slope };
}
