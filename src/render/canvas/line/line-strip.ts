/** Projects the corners of a line from the plane to a strip of triangles on the picture. */
import type { Projected, View3 } from '../../../spatial/view.ts';
import { PitchedStrip } from '../raster/pitched-strip.ts';
import { snapToSubpixel, type Pixels } from '../raster/pixels.ts';
import { Strip, type LineShade } from '../raster/strip.ts';

/**
 * Adds the corner at (x + extrudeX, y + extrudeY), in CSS pixels on the plane. The line itself runs
 * through (x, y). The rest is as in `Corner`.
 */
export type AddToStrip = (
  x: number,
  y: number,
  extrudeX: number,
  extrudeY: number,
  side: number,
  capEnd: number,
  along: number,
) => void;

export function lineStrip(
  view: View3,
  pixels: Pixels,
  pixelRatio: number,
  shade: LineShade,
): AddToStrip {
  if (view.pitch !== 0) return pitchedStrip(view, pixels, pixelRatio, shade);
  const strip = new Strip(pixels, shade);
  const toDevice = (px: number) => snapToSubpixel(px * pixelRatio);
  if (view.isLevel) {
    return (x, y, extrudeX, extrudeY, side, capEnd, along) =>
      strip.add({ x: toDevice(x + extrudeX), y: toDevice(y + extrudeY), side, capEnd, along });
  }
  const at: Projected = { x: 0, y: 0, w: 1 };
  return (x, y, extrudeX, extrudeY, side, capEnd, along) => {
    view.project(x + extrudeX, y + extrudeY, 0, at);
    strip.add({ x: toDevice(at.x), y: toDevice(at.y), side, capEnd, along });
  };
}

function pitchedStrip(
  view: View3,
  pixels: Pixels,
  pixelRatio: number,
  shade: LineShade,
): AddToStrip {
  const strip = new PitchedStrip(view.near, pixels, shade);
  const middle: Projected = { x: 0, y: 0, w: 1 };
  const edge: Projected = { x: 0, y: 0, w: 1 };
  const [centerX, centerY] = [view.widthPx / 2, view.heightPx / 2];
  return (x, y, extrudeX, extrudeY, side, capEnd, along) => {
    view.project(x, y, 0, middle);
    view.project(x + extrudeX, y + extrudeY, 0, edge);
    const { w } = edge;
    // MapLibre divides both by the distance of the edge.
    const widthX = edge.x - centerX - ((middle.x - centerX) * middle.w) / w;
    const widthY = edge.y - centerY - ((middle.y - centerY) * middle.w) / w;
    strip.add({
      x: snapToSubpixel(edge.x * pixelRatio),
      y: snapToSubpixel(edge.y * pixelRatio),
      w,
      side,
      capEnd,
      along,
      shrink: Math.hypot(extrudeX, extrudeY) / Math.hypot(widthX, widthY),
    });
  };
}
