/** Projects flat faces in space: their outlines, and the values that change linearly across them. */
import { signedAreaPx, type FlatPoints } from '../../../base/spatial/flat.ts';
import { invert3 } from '../../../base/spatial/perspective.ts';
import type { View3 } from '../../../base/spatial/view.ts';
import type { Face } from '../raster/faces.ts';
import { snapToSubpixel } from '../raster/pixel-grid.ts';
import type { Warp } from '../raster/warp.ts';

type FaceShape = Pick<Face, 'rings' | 'warp'>;

/** Projects a level face at a height, in plane pixels. Null if it is invisible or seen from below */
export function projectRoof(
  view: View3,
  pixelRatio: number,
  rings: readonly FlatPoints[],
  height: number,
): FaceShape | null {
  if (view.cameraPosition()[2] <= height) return null;
  const outlines = rings.flatMap((ring) => {
    const corners: number[] = [];
    for (let i = 0; i < ring.length; i += 2)
      pushCorner(view, ring[i]!, ring[i + 1]!, height, corners);
    const outline = toDevice(view, pixelRatio, corners);
    return outline.length === 0 ? [] : [outline];
  });
  if (outlines.length === 0) return null;
  const m = view.matrix;
  const ground = [0, 4, 8].flatMap((row) => [
    m[row]!,
    m[row + 1]!,
    m[row + 2]! * height + m[row + 3]!,
  ]);
  return { rings: outlines, warp: fromDevice(invert3(ground), pixelRatio) };
}

/**
 * Projects an upright face over a line from (x0, y0) to (x1, y1), all in plane pixels. Null if it is
 * invisible or seen from its left side
 */
export function projectWall(
  view: View3,
  pixelRatio: number,
  [x0, y0, x1, y1]: readonly [number, number, number, number],
  base: number,
  height: number,
): FaceShape | null {
  const corners: number[] = [];
  pushCorner(view, x0, y0, base, corners);
  pushCorner(view, x1, y1, base, corners);
  pushCorner(view, x1, y1, height, corners);
  pushCorner(view, x0, y0, height, corners);
  const outline = toDevice(view, pixelRatio, corners);
  if (outline.length === 0 || signedAreaPx(outline) <= 0) return null;
  const m = view.matrix;
  const [dx, dy] = [x1 - x0, y1 - y0];
  const wall = [0, 4, 8].flatMap((row) => [
    m[row]! * dx + m[row + 1]! * dy,
    m[row + 2]! * (height - base),
    m[row]! * x0 + m[row + 1]! * y0 + m[row + 2]! * base + m[row + 3]!,
  ]);
  return { rings: [outline], warp: fromDevice(invert3(wall), pixelRatio) };
}

/** Appends a corner as x and y times distance, and distance. */
function pushCorner(
  { matrix: m }: View3,
  x: number,
  y: number,
  z: number,
  corners: number[],
): void {
  for (let row = 0; row < 12; row += 4) {
    corners.push(m[row]! * x + m[row + 1]! * y + m[row + 2]! * z + m[row + 3]!);
  }
}

/** Cuts an outline at the near and the far plane, and moves it to device pixels. */
function toDevice(view: View3, pixelRatio: number, corners: readonly number[]): FlatPoints {
  let visible = corners;
  for (let i = 2; i < corners.length; i += 3) {
    if (corners[i]! >= view.near && corners[i]! <= view.far) continue;
    visible = cut(cut(corners, view.near, 1), view.far, -1);
    break;
  }
  const outline: FlatPoints = [];
  for (let i = 0; i < visible.length; i += 3) {
    const scale = pixelRatio / visible[i + 2]!;
    outline.push(snapToSubpixel(visible[i]! * scale), snapToSubpixel(visible[i + 1]! * scale));
  }
  return outline;
}

/** Keeps the part with `sign * distance >= sign * limit`. */
function cut(corners: readonly number[], limit: number, sign: 1 | -1): number[] {
  const kept: number[] = [];
  for (let i = 0; i < corners.length; i += 3) {
    const next = i + 3 === corners.length ? 0 : i + 3;
    const depth = sign * (corners[i + 2]! - limit);
    const nextDepth = sign * (corners[next + 2]! - limit);
    if (depth >= 0) kept.push(corners[i]!, corners[i + 1]!, corners[i + 2]!);
    if (depth >= 0 !== nextDepth >= 0) {
      const part = depth / (depth - nextDepth);
      for (let k = 0; k < 3; k++) {
        kept.push(corners[i + k]! + part * (corners[next + k]! - corners[i + k]!));
      }
    }
  }
  return kept;
}

/** Lets a matrix take device pixels instead of CSS pixels. */
function fromDevice(warp: Warp, pixelRatio: number): Warp {
  return warp.map((value, i) => (i % 3 === 2 ? value : value / pixelRatio));
}
