/** Projects the corners of a line from the plane to a strip of triangles on the picture. */
import type { Projected, View3 } from '../../../spatial/view.ts';
import { PitchedStrip, type PitchedCorner } from '../raster/pitched-strip.ts';
import { snapToSubpixel, type Pixels } from '../raster/pixels.ts';
import { Strip, type Corner, type LineShade } from '../raster/strip.ts';
import type { LineCorners } from './line-corners.ts';

export interface LineStrip {
  shade: LineShade;
  /** Moves the line on the plane, in CSS pixels */
  dx: number;
  dy: number;
  /** Moves the line to its right, in CSS pixels */
  offsetPx: number;
  /**
   * Converts a distance along the line to the units of its dashes; null if the line looks the same
   * everywhere
   */
  alongOf: ((alongPx: number) => number) | null;
}

export function drawStrip(
  corners: LineCorners,
  line: LineStrip,
  view: View3,
  pixels: Pixels,
  pixelRatio: number,
): void {
  const { shade, dx, dy, offsetPx, alongOf } = line;
  if (view.pitch !== 0) {
    drawPitched(corners, line, view, pixels, pixelRatio);
    return;
  }
  const { isLevel } = view;
  const strip = new Strip(pixels, shade);
  const at: Projected = { x: 0, y: 0, w: 1 };
  let corner = newCorner();
  for (let i = 0; i < corners.count; i++) {
    at.x = corners.x(i) + dx + offsetPx * corners.offsetX(i) + shade.outerPx * corners.extrudeX(i);
    at.y = corners.y(i) + dy + offsetPx * corners.offsetY(i) + shade.outerPx * corners.extrudeY(i);
    if (!isLevel) view.project(at.x, at.y, 0, at);
    corner.x = snapToSubpixel(at.x * pixelRatio);
    corner.y = snapToSubpixel(at.y * pixelRatio);
    corner.side = corners.side(i);
    corner.capEnd = corners.capEnd(i);
    corner.along = alongOf === null ? 0 : alongOf(corners.alongPx(i));
    corner = strip.add(corner) ?? newCorner();
  }
}

const newCorner = (): Corner => ({ x: 0.5, y: 0.5, side: 0, capEnd: 0, along: 0.5 });

function drawPitched(
  corners: LineCorners,
  { shade, dx, dy, offsetPx, alongOf }: LineStrip,
  view: View3,
  pixels: Pixels,
  pixelRatio: number,
): void {
  const strip = new PitchedStrip(view.near, pixels, shade);
  const middle: Projected = { x: 0, y: 0, w: 1 };
  const edge: Projected = { x: 0, y: 0, w: 1 };
  const [centerX, centerY] = [view.widthPx / 2, view.heightPx / 2];
  for (let i = 0; i < corners.count; i++) {
    const x = corners.x(i) + dx + offsetPx * corners.offsetX(i);
    const y = corners.y(i) + dy + offsetPx * corners.offsetY(i);
    const extrudeX = shade.outerPx * corners.extrudeX(i);
    const extrudeY = shade.outerPx * corners.extrudeY(i);
    view.project(x, y, 0, middle);
    view.project(x + extrudeX, y + extrudeY, 0, edge);
    const { w } = edge;
    // MapLibre divides both by the distance of the edge.
    const widthX = edge.x - centerX - ((middle.x - centerX) * middle.w) / w;
    const widthY = edge.y - centerY - ((middle.y - centerY) * middle.w) / w;
    const corner: PitchedCorner = {
      x: snapToSubpixel(edge.x * pixelRatio),
      y: snapToSubpixel(edge.y * pixelRatio),
      w,
      side: corners.side(i),
      capEnd: corners.capEnd(i),
      along: alongOf === null ? 0 : alongOf(corners.alongPx(i)),
      shrink: Math.hypot(extrudeX, extrudeY) / Math.hypot(widthX, widthY),
    };
    strip.add(corner);
  }
}
