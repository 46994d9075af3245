/** Fills areas of the map's plane with textures. */
import type { FlatPoints, RectPx } from '../../spatial/flat.ts';
import type { PaintContext } from './painter.ts';
import type { Ink } from './raster/ink.ts';
import { snapToSubpixel } from './raster/pixels.ts';
import { inkPolygon } from './raster/polygon.ts';
import { composeWarps, type Warp } from './raster/warp.ts';

/** Makes the ink for a warp from device pixels to the texture. */
export type MakeInk = (warp: Warp) => Ink;

export const ringOfRect = ({ minX, minY, maxX, maxY }: RectPx): FlatPoints => [
  ...[minX, minY, maxX, minY],
  ...[maxX, maxY, minX, maxY],
];

/**
 * Fills a ring, without smoothing its edge.
 *
 * @param ring convex, in pixels of the plane
 * @param warp from the plane to the texture
 * @param opacity 0 to 1
 */
export function fillTextured(
  { surface: { pixels, pixelRatio } }: PaintContext,
  ring: FlatPoints,
  warp: Warp,
  makeInk: MakeInk,
  opacity: number,
): void {
  pixels.clipTo(null);
  const toPlane = Float64Array.of(1 / pixelRatio, 0, 0, 0, 1 / pixelRatio, 0, 0, 0, 1);
  const device = ring.map((coordinate) => snapToSubpixel(coordinate * pixelRatio));
  inkPolygon(pixels, [device], makeInk(composeWarps(warp, toPlane)), opacity);
}
