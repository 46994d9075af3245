/** Drawing line layers: their triangles, shaded as MapLibre's shaders do. */
import { signedAreaPx, type FlatPoints } from '../../spatial/flat.ts';
import type { CompiledLayer } from './compiled-style.ts';
import { meshLine, type AddCorner } from './line-mesh.ts';
import { linePaint, type LinePaint } from './line-paint.ts';
import { snapped } from './raster/pixels.ts';
import { Strip } from './raster/strip.ts';
import type { ScreenFeature } from './screen-feature.ts';
import { inSortOrder } from './sort-order.ts';
import type { Surface } from './surface.ts';
import { propertiesAt, tileZoomOf } from './values.ts';

/** Distances along a line come in steps of this, in pixels of the tiles. */
const ALONG_STEP_PX = 1 / 8;

export function drawLine(
  { pixels, pixelRatio }: Surface,
  layer: CompiledLayer,
  features: readonly ScreenFeature[],
  zoom: number,
): void {
  const tileZoom = tileZoomOf(zoom);
  // How large a pixel of the tiles is here
  const tileScale = 2 ** (zoom - tileZoom);
  const paintOf = linePaint(layer, zoom, pixelRatio);
  const [dx, dy] = propertiesAt(layer, zoom)<[number, number]>('line-translate')();

  const draw = (points: FlatPoints, isRing: boolean, paint: LinePaint) => {
    const { shade, offsetPx } = paint;
    const strip = new Strip(pixels, shade);
    const addCorner: AddCorner = (x, y, extrude, offset, side, beyond, alongPx) =>
      strip.add({
        x: snapped((x + dx + offsetPx * offset.x + shade.outerPx * extrude.x) * pixelRatio),
        y: snapped((y + dy + offsetPx * offset.y + shade.outerPx * extrude.y) * pixelRatio),
        side,
        beyond,
        along: Math.floor(alongPx / tileScale / ALONG_STEP_PX) * ALONG_STEP_PX,
      });
    meshLine(points, isRing, paint, tileScale, addCorner);
  };

  const sortKey = propertiesAt(layer, tileZoom)<number | undefined>('line-sort-key');
  for (const feature of inSortOrder(features, sortKey)) {
    const paint = paintOf(feature.style);
    if (paint === null) continue;
    pixels.clipTo(feature.tile, pixelRatio);
    for (const rings of feature.polygons) {
      for (const [i, ring] of rings.entries())
        draw(withInsideToTheRight(ring, i === 0), true, paint);
    }
    for (const line of feature.lines) draw(line, false, paint);
  }
}

/** Lines are offset to their right. A ring that is turned round keeps its first point. */
function withInsideToTheRight(ring: FlatPoints, isOuter: boolean): FlatPoints {
  if (signedAreaPx(ring) > 0 === isOuter) return ring;
  const backward = [ring[0]!, ring[1]!];
  for (let i = ring.length - 2; i > 0; i -= 2) backward.push(ring[i]!, ring[i + 1]!);
  return backward;
}
