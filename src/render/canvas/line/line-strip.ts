/** Draws the strips of lines, whose corners a kernel meshes on the plane. */
import type { Projected, View3 } from '../../../base/spatial/view.ts';
import { DASH, MATRIX } from '../kernel-memory.ts';
import { PitchedStrip, type PitchedCorner } from '../raster/pitched-strip.ts';
import type { Pixels } from '../raster/pixels.ts';
import { snapToSubpixel } from '../raster/pixel-grid.ts';
import { LevelStrip } from '../raster/level-strip.ts';
import type { Corner, LineInk, LineShade } from '../raster/strip.ts';
import type { LineCorners } from './line-corners.ts';

interface LineStrip {
  shade: LineShade;
  /** Moves the line on the plane, in CSS pixels */
  dx: number;
  dy: number;
  /** Moves the line to its right, in CSS pixels */
  offsetPx: number;
}

/** Draws the corners of a line, some at a time, in their order. */
type DrawCorners = (corners: LineCorners) => void;

/** Kernels draw level lines in one color, also if they are turned; patterns and pitched lines are drawn here. */
export function stripDrawer(
  line: LineStrip,
  view: View3,
  pixels: Pixels,
  pixelRatio: number,
): DrawCorners {
  if (view.pitch !== 0) return pitchedDrawer(line, view, pixels, pixelRatio);
  const { pattern } = line.shade;
  return pattern === null
    ? kernelDrawer(line, view, pixels, pixelRatio)
    : patternDrawer(line, pattern, view, pixels, pixelRatio);
}

function kernelDrawer(
  { shade, dx, dy, offsetPx }: LineStrip,
  { isLevel, matrix }: View3,
  pixels: Pixels,
  pixelRatio: number,
): DrawCorners {
  const { memory } = pixels;
  const { kernels } = memory;
  const { tint, dash, outerPx, innerPx, fadePx } = shade;
  pixels.setTint(tint);
  if (dash === null) kernels.setDash(0, 1, 1, 1);
  else {
    for (const [i, row] of dash.rows.entries()) memory.bytes.set(row, DASH + i * row.length);
    kernels.setDash(dash.rows.length, dash.length, dash.widthPx, dash.softness);
  }
  if (!isLevel) {
    const rows = [0, 4, 8].flatMap((i) => [matrix[i]!, matrix[i + 1]!, matrix[i + 3]!]);
    memory.doubles.set(rows, MATRIX / 8);
  }
  kernels.startStrip(outerPx, innerPx, fadePx, dx, dy, offsetPx, pixelRatio, isLevel);
  return ({ count }) => kernels.fillStrip(count);
}

function patternDrawer(
  { shade, dx, dy, offsetPx }: LineStrip,
  pattern: LineInk,
  view: View3,
  pixels: Pixels,
  pixelRatio: number,
): DrawCorners {
  const { isLevel } = view;
  const strip = new LevelStrip(pixels, shade, pattern);
  const at: Projected = { x: 0, y: 0, w: 1 };
  let corner = newCorner();
  return (corners) => {
    for (let i = 0; i < corners.count; i++) {
      at.x =
        corners.x(i) + dx + offsetPx * corners.offsetX(i) + shade.outerPx * corners.extrudeX(i);
      at.y =
        corners.y(i) + dy + offsetPx * corners.offsetY(i) + shade.outerPx * corners.extrudeY(i);
      if (!isLevel) view.project(at.x, at.y, 0, at);
      corner.x = snapToSubpixel(at.x * pixelRatio);
      corner.y = snapToSubpixel(at.y * pixelRatio);
      corner.side = corners.side(i);
      corner.capEnd = corners.capEnd(i);
      corner.along = corners.along(i);
      corner = strip.add(corner) ?? newCorner();
    }
  };
}

const newCorner = (): Corner => ({ x: 0.5, y: 0.5, side: 0, capEnd: 0, along: 0.5 });

function pitchedDrawer(
  { shade, dx, dy, offsetPx }: LineStrip,
  view: View3,
  pixels: Pixels,
  pixelRatio: number,
): DrawCorners {
  const strip = new PitchedStrip(view.near, pixels, shade);
  const middle: Projected = { x: 0, y: 0, w: 1 };
  const edge: Projected = { x: 0, y: 0, w: 1 };
  const [centerX, centerY] = [view.widthPx / 2, view.heightPx / 2];
  return (corners) => {
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
        along: corners.along(i),
        shrink: Math.hypot(extrudeX, extrudeY) / Math.hypot(widthX, widthY),
      };
      strip.add(corner);
    }
  };
}
