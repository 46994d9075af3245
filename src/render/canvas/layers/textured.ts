/** Fills areas of the map's plane with textures. */
import type { FlatPoints } from '../../../base/spatial/flat.ts';
import { deviceRing } from '../raster/device-ring.ts';
import type { PaintContext } from './painter.ts';
import type { Ink } from '../raster/ink.ts';
import { inkPolygon } from '../raster/polygon.ts';
import { composeWarps, type Warp } from '../raster/warp.ts';

/** Makes the ink for a warp from device pixels to the texture. */
export type MakeInk = (warp: Warp) => Ink;

/** The warp from device pixels to the plane. */
export function toPlane({ view, surface: { pixelRatio } }: PaintContext): Warp {
  const toPicture = Float64Array.of(1 / pixelRatio, 0, 0, 0, 1 / pixelRatio, 0, 0, 0, 1);
  return view.isLevel ? toPicture : composeWarps(view.inverse, toPicture);
}

/**
 * Fills a ring, without smoothing its edge.
 *
 * @param ring convex, in pixels of the plane
 * @param warp from the plane to the texture
 * @param opacity 0 to 1
 */
export function fillTextured(
  context: PaintContext,
  ring: FlatPoints,
  warp: Warp,
  makeInk: MakeInk,
  opacity: number,
): void {
  const { surface, view, clipToTile } = context;
  clipToTile(surface.pixels, null);
  const { points } = deviceRing(view, ring, 0, 0, surface.pixelRatio);
  inkPolygon(surface.pixels, [points], makeInk(composeWarps(warp, toPlane(context))), opacity);
}
