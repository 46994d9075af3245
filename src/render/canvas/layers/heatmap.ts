/** Draws heatmap layers: adds a bell curve at each point, and colors the sum. */
import type { View3 } from '../../../base/spatial/view.ts';
import { verticesOf } from './circle.ts';
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { ColorRamp } from './color-ramp.ts';
import { deviceRing } from '../raster/device-ring.ts';
import type { PaintContext, SceneLayer } from './painter.ts';
import { ConvexArea } from '../raster/convex-area.ts';
import type { Ink } from '../raster/ink.ts';
import { firstPixelFrom } from '../raster/pixel-grid.ts';

/** MapLibre computes the density in a picture of a quarter of the size. */
const SHRINK = 4;

/** 1 / sqrt(2 pi) */
const GAUSS_COEFFICIENT = 0.3989422804014327;

/** Density that is treated as zero: a sixteenth of a byte's step. Curves end where they fall to it. */
const ZERO = 1 / 255 / 16;

export function drawHeatmap(
  { surface: { pixels, pixelRatio }, view }: PaintContext,
  { compiled, read, features }: SceneLayer,
): void {
  const opacity = read<number>('heatmap-opacity')();
  if (opacity === 0) return;
  const radius = read<number>('heatmap-radius');
  const weight = read<number>('heatmap-weight');
  const intensity = read<number>('heatmap-intensity')();
  const density = new Density(pixels.width, pixels.height);
  for (const feature of features) {
    const peak = weight(feature.style) * intensity * GAUSS_COEFFICIENT;
    if (!(peak > ZERO)) continue;
    const radiusPx = radius(feature.style);
    for (const [x, y] of verticesOf(feature)) {
      if (!feature.ownsPoint(x, y)) continue;
      if (view.isLevel) density.add(x * pixelRatio, y * pixelRatio, radiusPx * pixelRatio, peak);
      else density.addOnPlane(view, pixelRatio, x, y, radiusPx, peak);
    }
  }
  const color = compiled.properties.get('heatmap-color')!;
  const colorAt = (heatmapDensity: number) => color.evaluate({ zoom: 0, heatmapDensity }) as Color;
  const ink = new DensityInk(density, new ColorRamp(colorAt));
  pixels.clipTo(null);
  for (let y = 0; y < pixels.height; y++) pixels.fillRowWith(y, 0, pixels.width, ink, opacity);
}

/** Sum of the curves of all points. */
class Density {
  readonly width: number;
  readonly height: number;
  /** Device pixels per cell */
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly values: Float32Array;
  /** The curve of one point along a row */
  private readonly curve: Float64Array;

  constructor(widthPx: number, heightPx: number) {
    this.width = Math.max(1, Math.floor(widthPx / SHRINK));
    this.height = Math.max(1, Math.floor(heightPx / SHRINK));
    this.cellWidth = widthPx / this.width;
    this.cellHeight = heightPx / this.height;
    this.values = new Float32Array(this.width * this.height);
    this.curve = new Float64Array(this.width);
  }

  /** Adds the curve of a point, in device pixels. Its radius is three standard deviations. */
  add(x: number, y: number, radiusPx: number, peak: number): void {
    const { width, cellWidth, cellHeight, values, curve } = this;
    const reach = reachOf(peak, radiusPx);
    const left = Math.max(0, firstPixelFrom((x - reach) / cellWidth));
    const right = Math.min(width, firstPixelFrom((x + reach) / cellWidth));
    const top = Math.max(0, firstPixelFrom((y - reach) / cellHeight));
    const bottom = Math.min(this.height, firstPixelFrom((y + reach) / cellHeight));
    if (top >= bottom) return;
    const falloff = -4.5 / radiusPx ** 2;
    for (let i = left; i < right; i++) {
      curve[i] = Math.exp(falloff * ((i + 0.5) * cellWidth - x) ** 2);
    }
    for (let j = top; j < bottom; j++) {
      const rowPeak = peak * Math.exp(falloff * ((j + 0.5) * cellHeight - y) ** 2);
      const row = j * width;
      for (let i = left; i < right; i++) values[row + i]! += rowPeak * curve[i]!;
    }
  }

  /** Adds a curve that lies on the map, around a point of the plane, in CSS pixels. */
  addOnPlane(
    view: View3,
    pixelRatio: number,
    x: number,
    y: number,
    radiusPx: number,
    peak: number,
  ): void {
    const { width, height, cellWidth, cellHeight, values } = this;
    const reach = reachOf(peak, radiusPx);
    const [left, top, right, bottom] = [x - reach, y - reach, x + reach, y + reach];
    const square = [left, top, right, top, right, bottom, left, bottom];
    const { points } = deviceRing(view, square, 0, 0, pixelRatio);
    const inCells = points.map((px, i) => px / (i % 2 === 0 ? cellWidth : cellHeight));
    const area = new ConvexArea(inCells, width, height);
    const falloff = -4.5 / radiusPx ** 2;
    for (let j = area.box.minY; j < area.box.maxY; j++) {
      const end = area.endColumn(j);
      for (let i = area.firstColumn(j); i < end; i++) {
        const [planeX, planeY] = view.planePoint(
          ((i + 0.5) * cellWidth) / pixelRatio,
          ((j + 0.5) * cellHeight) / pixelRatio,
        );
        const distance2 = (planeX - x) ** 2 + (planeY - y) ** 2;
        values[j * width + i]! += peak * Math.exp(falloff * distance2);
      }
    }
  }
}

/** Half the side of the square to which a curve is cut: it falls to `ZERO` there. */
function reachOf(peak: number, radiusPx: number): number {
  return (Math.sqrt(-2 * Math.log(ZERO / peak)) / 3) * radiusPx;
}

/** Colors densities, interpolated between cells. */
class DensityInk implements Ink {
  private readonly density: Density;
  private readonly ramp: ColorRamp;

  constructor(density: Density, ramp: ColorRamp) {
    this.density = density;
    this.ramp = ramp;
  }

  row(x: number, y: number, count: number, out: Float32Array): void {
    const { width, height, cellWidth, cellHeight, values } = this.density;
    const down = Math.max(0, Math.min(height - 1, (y + 0.5) / cellHeight - 0.5));
    const upper = Math.floor(down) * width;
    const lower = Math.min(upper + width, (height - 1) * width);
    const lowerShare = down - Math.floor(down);
    for (let i = 0; i < count; i++) {
      const across = Math.max(0, Math.min(width - 1, (x + i + 0.5) / cellWidth - 0.5));
      const left = Math.floor(across);
      const right = Math.min(left + 1, width - 1);
      const share = across - left;
      const above = values[upper + left]! * (1 - share) + values[upper + right]! * share;
      const below = values[lower + left]! * (1 - share) + values[lower + right]! * share;
      this.ramp.write(above + (below - above) * lowerShare, out, 4 * i);
    }
  }
}
