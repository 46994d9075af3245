/** Draws fill layers. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { signedAreaPx, type FlatPoints } from '../../spatial/flat.ts';
import { deviceRing, type DeviceRing } from './device-ring.ts';
import { sortByKey } from './sort-by-key.ts';
import type { PaintContext, SceneLayer } from './painter.ts';
import { drawHairline } from './raster/hairline.ts';
import { MIN_OPACITY, tintOf, type Pixels, type Tint } from './raster/pixels.ts';
import { fillPolygon } from './raster/polygon.ts';
import type { ScreenFeature } from './screen-feature.ts';
import type { StyleFeature } from './property-values.ts';
import { translation } from './translate.ts';

/**
 * Draws all areas with hard edges, then all outlines, as MapLibre does. Without an outline color, the
 * outline takes the fill color: this smooths the edge and darkens the rim of a translucent area.
 */
export function drawFill(
  { surface: { pixels, pixelRatio }, view, clipToTile }: PaintContext,
  layer: SceneLayer,
): void {
  const { read, readLayout, features } = layer;
  const color = read<Color>('fill-color');
  const outlineColor = read<Color | undefined>('fill-outline-color');
  const opacity = read<number>('fill-opacity');
  const [dx, dy] = translation(layer, view);
  const areas = sortByKey(features, readLayout('fill-sort-key')).map((feature) => ({
    feature,
    polygons: fillableRings(feature).map((rings) =>
      rings.map((ring) => deviceRing(view, ring, dx, dy, pixelRatio)),
    ),
  }));

  const drawEach = (
    colorOf: (style: StyleFeature) => Color,
    draw: (pixels: Pixels, rings: readonly DeviceRing[], tint: Tint) => void,
  ) => {
    for (const { feature, polygons } of areas) {
      const opacityHere = opacity(feature.style);
      if (opacityHere < MIN_OPACITY) continue;
      const tint = tintOf(colorOf(feature.style), opacityHere);
      clipToTile(feature.tile);
      for (const rings of polygons) draw(pixels, rings, tint);
    }
  };
  drawEach(color, drawArea);
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

function drawArea(pixels: Pixels, rings: readonly DeviceRing[], tint: Tint): void {
  const outlines = rings.map(({ points }) => points);
  fillPolygon(pixels, outlines, tint);
}

function drawOutline(pixels: Pixels, rings: readonly DeviceRing[], tint: Tint): void {
  for (const { points, nearness } of rings) {
    for (let i = 0; i < points.length; i += 2) {
      const next = i + 2 === points.length ? 0 : i + 2;
      const ends = [points[i]!, points[i + 1]!, points[next]!, points[next + 1]!] as const;
      if (nearness === null) drawHairline(pixels, ...ends, tint);
      else drawHairline(pixels, ...ends, tint, nearness[i / 2], nearness[next / 2]);
    }
  }
}
