/** Drawing layers that cover areas. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { signedAreaPx, type FlatPoints } from '../../spatial/flat.ts';
import { inSortOrder } from './sort-order.ts';
import { drawHairline } from './raster/hairline.ts';
import { LEAST_OPACITY, snapped, tintOf, type Pixels, type Tint } from './raster/pixels.ts';
import { fillPolygon } from './raster/polygon.ts';
import type { ScreenFeature } from './screen-feature.ts';
import type { Surface } from './surface.ts';
import type { ReadProperty, StyleFeature } from './values.ts';

export function drawBackground({ pixels }: Surface, read: ReadProperty): void {
  const tint = backgroundTint(read);
  pixels.clipTo(null);
  for (let y = 0; y < pixels.height; y++) pixels.fillRow(y, 0, pixels.width, tint);
}

export function backgroundTint(read: ReadProperty): Tint {
  return tintOf(read<Color>('background-color')(), read<number>('background-opacity')());
}

/**
 * First all areas, sharp-edged, then all their outlines: in a colour of their own or else in that
 * of the area, which smooths the edge and darkens the rim of what is translucent. So does MapLibre.
 */
export function drawFill(
  { pixels, pixelRatio }: Surface,
  read: ReadProperty,
  readAtTile: ReadProperty,
  features: readonly ScreenFeature[],
): void {
  const color = read<Color>('fill-color');
  const outlineColor = read<Color | undefined>('fill-outline-color');
  const opacity = read<number>('fill-opacity');
  const [dx, dy] = read<[number, number]>('fill-translate')();
  const areas = inSortOrder(features, readAtTile('fill-sort-key')).map((feature) => ({
    feature,
    polygons: areasOf(feature).map((rings) =>
      rings.map((ring) => inDevicePx(ring, dx, dy, pixelRatio)),
    ),
  }));

  const drawEach = (
    colorOf: (style: StyleFeature) => Color,
    draw: (pixels: Pixels, rings: readonly FlatPoints[], tint: Tint) => void,
  ) => {
    for (const { feature, polygons } of areas) {
      const opacityHere = opacity(feature.style);
      if (opacityHere < LEAST_OPACITY) continue;
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

/** As in MapLibre a line is an area too, between its ends, and a ring without an area is nothing. */
function areasOf({ polygons, lines }: ScreenFeature): FlatPoints[][] {
  return [...polygons, ...lines.map((line) => [line])]
    .map((rings) => rings.filter((ring) => Math.abs(signedAreaPx(ring)) > LEAST_AREA_PX))
    .filter((rings) => rings.length > 0);
}

/** Far below what the grid of vertices can show, far above what arithmetic loses */
const LEAST_AREA_PX = 1e-6;

function drawOutline(pixels: Pixels, rings: readonly FlatPoints[], tint: Tint): void {
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const next = i + 2 === ring.length ? 0 : i + 2;
      drawHairline(pixels, ring[i]!, ring[i + 1]!, ring[next]!, ring[next + 1]!, tint);
    }
  }
}

function inDevicePx(points: FlatPoints, dx: number, dy: number, pixelRatio: number): FlatPoints {
  return points.map((coordinate, i) =>
    snapped((coordinate + (i % 2 === 0 ? dx : dy)) * pixelRatio),
  );
}
