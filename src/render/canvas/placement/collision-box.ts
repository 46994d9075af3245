/** The box that a text or an icon occupies around its anchor. Pure; in CSS pixels. */
import { rectOf, type Point, type RectPx } from '../../../base/spatial/flat.ts';
import { TILE_SIZE_PX } from '../../../base/spatial/mercator.ts';
import { TILE_EXTENT } from '../style/style-feature.ts';
import type { TileFrame } from '../symbol/label-tiles.ts';

/** Position on the plane of the map, in plane pixels. */
export function toPlanePx(
  { leftPx, topPx, pxPerUnit }: TileFrame,
  { x, y }: Point,
  [dx, dy]: readonly [number, number],
): Point {
  return { x: leftPx + x * pxPerUnit + dx, y: topPx + y * pxPerUnit + dy };
}

/**
 * Returns the bounds of a rotated shape.
 *
 * @param padding in CSS pixels: top, right, bottom, left
 */
export function collisionBox(
  shape: { left: number; top: number; right: number; bottom: number },
  scale: number,
  padding: readonly [number, number, number, number],
  rotation: number,
  frame: TileFrame,
): RectPx {
  const left = shape.left * scale - padding[3];
  const right = shape.right * scale + padding[1];
  const top = shape.top * scale - padding[0];
  const bottom = shape.bottom * scale + padding[2];
  const box =
    rotation === 0
      ? {
          minX: Math.min(left, right),
          minY: Math.min(top, bottom),
          maxX: Math.max(left, right),
          maxY: Math.max(top, bottom),
        }
      : rectOf(rotatePoints([left, top, right, top, left, bottom, right, bottom], rotation));
  // MapLibre truncates boxes to whole tile units.
  const unitsPerPx = TILE_EXTENT / (TILE_SIZE_PX * frame.overscaling);
  return {
    minX: Math.trunc(box.minX * unitsPerPx) / unitsPerPx,
    minY: Math.trunc(box.minY * unitsPerPx) / unitsPerPx,
    maxX: Math.trunc(box.maxX * unitsPerPx) / unitsPerPx,
    maxY: Math.trunc(box.maxY * unitsPerPx) / unitsPerPx,
  };
}

function rotatePoints(points: readonly number[], radians: number): number[] {
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  return points.map((value, i) =>
    i % 2 === 0 ? value * cos - points[i + 1]! * sin : points[i - 1]! * sin + value * cos,
  );
}
