/** Draws line layers as triangles, shaded as MapLibre's shaders do. */
import { orientInsideRight, type FlatPoints } from '../../spatial/flat.ts';
import { TILE_SIZE_PX } from '../../spatial/mercator.ts';
import { meshLine, type AddCorner } from './line-mesh.ts';
import { linePaint, type LinePaint } from './line-paint.ts';
import type { PaintContext, SceneLayer } from './painter.ts';
import { lineStrip } from './line-strip.ts';
import { sortByKey } from './sort-by-key.ts';
import { tileZoomOf } from './property-values.ts';
import { translation } from './translate.ts';

/** Distances along a line are rounded down to this step, in tile pixels. */
const ALONG_STEP_PX = 1 / 8;

export function drawLine(context: PaintContext, layer: SceneLayer): void {
  const { surface, view, clipToTile } = context;
  const { pixels, pixelRatio } = surface;
  const { readLayout, features } = layer;
  const { zoom } = view;
  // CSS pixels per tile pixel, at the zoom of the picture
  const sceneScale = 2 ** (zoom - tileZoomOf(zoom));
  const paintOf = linePaint(context, layer);
  const [dx, dy] = translation(layer, view);

  const draw = (points: FlatPoints, isRing: boolean, paint: LinePaint, tileScale: number) => {
    const { shade, offsetPx } = paint;
    const addToStrip = lineStrip(view, pixels, pixelRatio, shade);
    const addCorner: AddCorner = (x, y, extrude, offset, side, capEnd, alongPx) =>
      addToStrip(
        x + dx + offsetPx * offset.x,
        y + dy + offsetPx * offset.y,
        shade.outerPx * extrude.x,
        shade.outerPx * extrude.y,
        side,
        capEnd,
        Math.floor(alongPx / tileScale / ALONG_STEP_PX) * ALONG_STEP_PX * (tileScale / sceneScale),
      );
    meshLine(points, isRing, paint, tileScale, addCorner);
  };

  for (const feature of sortByKey(features, readLayout('line-sort-key'))) {
    const paint = paintOf(feature.style);
    if (paint === null) continue;
    const { tile } = feature;
    clipToTile(pixels, tile);
    // In steep views, tiles have several zooms.
    const tileScale =
      view.isLevel || tile === null ? sceneScale : (tile.maxX - tile.minX) / TILE_SIZE_PX;
    for (const rings of feature.polygons) {
      for (const [i, ring] of rings.entries())
        draw(orientInsideRight(ring, i === 0), true, paint, tileScale);
    }
    for (const line of feature.lines) draw(line, false, paint, tileScale);
  }
}
