/** Draws line layers as triangles, shaded as MapLibre's shaders do. */
import { signedAreaPx, type FlatPoints } from '../../spatial/flat.ts';
import { meshLine, type AddCorner } from './line-mesh.ts';
import { linePaint, type LinePaint } from './line-paint.ts';
import type { PaintContext, SceneLayer } from './painter.ts';
import { snapToSubpixel } from './raster/pixels.ts';
import { Strip } from './raster/strip.ts';
import { sortByKey } from './sort-by-key.ts';
import { tileZoomOf } from './property-values.ts';

/** Distances along a line are rounded down to this step, in tile pixels. */
const ALONG_STEP_PX = 1 / 8;

export function drawLine(
  { surface: { pixels, pixelRatio }, view: { zoom } }: PaintContext,
  layer: SceneLayer,
): void {
  const { read, readLayout, features } = layer;
  // CSS pixels per tile pixel
  const tileScale = 2 ** (zoom - tileZoomOf(zoom));
  const paintOf = linePaint(layer, zoom, pixelRatio);
  const [dx, dy] = read<[number, number]>('line-translate')();

  const draw = (points: FlatPoints, isRing: boolean, paint: LinePaint) => {
    const { shade, offsetPx } = paint;
    const strip = new Strip(pixels, shade);
    const addCorner: AddCorner = (x, y, extrude, offset, side, capEnd, alongPx) =>
      strip.add({
        x: snapToSubpixel((x + dx + offsetPx * offset.x + shade.outerPx * extrude.x) * pixelRatio),
        y: snapToSubpixel((y + dy + offsetPx * offset.y + shade.outerPx * extrude.y) * pixelRatio),
        side,
        capEnd,
        along: Math.floor(alongPx / tileScale / ALONG_STEP_PX) * ALONG_STEP_PX,
      });
    meshLine(points, isRing, paint, tileScale, addCorner);
  };

  for (const feature of sortByKey(features, readLayout('line-sort-key'))) {
    const paint = paintOf(feature.style);
    if (paint === null) continue;
    pixels.clipTo(feature.tile, pixelRatio);
    for (const rings of feature.polygons) {
      for (const [i, ring] of rings.entries()) draw(orientInsideRight(ring, i === 0), true, paint);
    }
    for (const line of feature.lines) draw(line, false, paint);
  }
}

/**
 * Orients a ring so that its inside lies to the right, the side to which lines are offset. A reversed
 * ring keeps its first point.
 */
function orientInsideRight(ring: FlatPoints, isOuter: boolean): FlatPoints {
  if (signedAreaPx(ring) > 0 === isOuter) return ring;
  const reversed = [ring[0]!, ring[1]!];
  for (let i = ring.length - 2; i > 0; i -= 2) reversed.push(ring[i]!, ring[i + 1]!);
  return reversed;
}
