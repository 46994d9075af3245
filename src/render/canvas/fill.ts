/** Draws fill layers. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { signedAreaPx, type FlatPoints } from '../../spatial/flat.ts';
import { sortByKey } from './sort-by-key.ts';
import type { PaintContext, SceneLayer } from './painter.ts';
import { drawHairline } from './raster/hairline.ts';
import { MIN_OPACITY, snapToSubpixel, tintOf, type Pixels, type Tint } from './raster/pixels.ts';
import { fillPolygon } from './raster/polygon.ts';
import type { ScreenFeature } from './screen-feature.ts';
import type { StyleFeature } from './property-values.ts';

/**
 * Draws all areas with hard edges, then all outlines, as MapLibre does. Without an outline color, the
 * outline takes the fill color: this smooths the edge and darkens the rim of a translucent area.
 */
export function drawFill(
  { surface: { pixels, pixelRatio } }: PaintContext,
  { read, readLayout, features }: SceneLayer,
): void {
  const color = read<Color>('fill-color');
  const outlineColor = read<Color | undefined>('fill-outline-color');
  const opacity = read<number>('fill-opacity');
  const [dx, dy] = read<[number, number]>('fill-translate')();
  const areas = sortByKey(features, readLayout('fill-sort-key')).map((feature) => ({
    feature,
    polygons: fillableRings(feature).map((rings) =>
      rings.map((ring) => toDevicePx(ring, dx, dy, pixelRatio)),
    ),
  }));

  const drawEach = (
    colorOf: (style: StyleFeature) => Color,
    draw: (pixels: Pixels, rings: readonly FlatPoints[], tint: Tint) => void,
  ) => {
    for (const { feature, polygons } of areas) {
      const opacityHere = opacity(feature.style);
      if (opacityHere < MIN_OPACITY) continue;
      const tint = tintOf(colorOf(feature.style), opacityHere);
      pixels.clipTo(feature.tile, pixelRatio);
      for (const rings of polygons) draw(pixels, rings, tint);
    }
  };
  drawEach(color, fillPolygon);
  if (read<boolean>('fill-antialias')()) {
    drawEach((style) => outlineColor(style) ?? color(style), drawOutline);
  }
}

/** As in MapLibre, a line is filled as if closed, and a ring without area is dropped. */
function fillableRings({ polygons, lines }: ScreenFeature): FlatPoints[][] {
  return [...polygons, ...lines.map((line) => [line])]
    .map((rings) => rings.filter((ring) => Math.abs(signedAreaPx(ring)) > MIN_AREA_PX))
    .filter((rings) => rings.length > 0);
}

/** Far smaller than a step of the vertex grid, far larger than rounding errors */
const MIN_AREA_PX = 1e-6;

function drawOutline(pixels: Pixels, rings: readonly FlatPoints[], tint: Tint): void {
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const next = i + 2 === ring.length ? 0 : i + 2;
      drawHairline(pixels, ring[i]!, ring[i + 1]!, ring[next]!, ring[next + 1]!, tint);
    }
  }
}

function toDevicePx(points: FlatPoints, dx: number, dy: number, pixelRatio: number): FlatPoints {
  return points.map((coordinate, i) =>
    snapToSubpixel((coordinate + (i % 2 === 0 ? dx : dy)) * pixelRatio),
  );
}
