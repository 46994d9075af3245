/** Draws line layers as triangles, shaded as MapLibre's shaders do. */
import { orientInsideRight, type FlatPoints } from '../../../spatial/flat.ts';
import { TILE_SIZE_PX } from '../../../spatial/mercator.ts';
import { gradientReader, lengthOf, NOMINAL_LENGTH_PX, spanOf } from './line-gradient.ts';
import { meshLine } from './line-mesh.ts';
import { linePaint, type LinePaint } from './line-paint.ts';
import type { PaintContext, SceneLayer } from '../layers/painter.ts';
import { drawStrip } from './line-strip.ts';
import { sortByKey } from '../layers/sort-by-key.ts';
import { tileZoomOf } from '../style/property-values.ts';
import { translation } from '../layers/translate.ts';

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

  const gradientOf = gradientReader(layer, overzoomOf(context, layer));

  const draw = (
    points: FlatPoints,
    isRing: boolean,
    { shade, offsetPx, ...form }: LinePaint,
    tileScale: number,
    alongOf: (alongPx: number) => number,
  ) => {
    const isFlat = shade.dash === null && shade.pattern === null;
    const strip = { shade, dx, dy, offsetPx, alongOf: isFlat ? null : alongOf };
    drawStrip(meshLine(points, isRing, form, tileScale), strip, view, pixels, pixelRatio);
  };

  for (const feature of sortByKey(features, readLayout('line-sort-key'))) {
    const paint = paintOf(feature.style);
    if (paint === null) continue;
    const { tile } = feature;
    clipToTile(pixels, tile);
    // In steep views, tiles have several zooms.
    const tileScale =
      view.isLevel || tile === null ? sceneScale : (tile.maxX - tile.minX) / TILE_SIZE_PX;
    const toStep = (tilePx: number) => Math.floor(tilePx / ALONG_STEP_PX) * ALONG_STEP_PX;
    const alongTile = (alongPx: number) => toStep(alongPx / tileScale) * (tileScale / sceneScale);
    const span = spanOf(feature.style);
    if (span === null) {
      // Only lines have the metrics that gradients need.
      if (gradientOf !== null) continue;
      for (const rings of feature.polygons) {
        for (const [i, ring] of rings.entries())
          draw(orientInsideRight(ring, i === 0), true, paint, tileScale, alongTile);
      }
      for (const line of feature.lines) draw(line, false, paint, tileScale, alongTile);
      continue;
    }
    const gradient = gradientOf?.(feature, span) ?? null;
    const pattern = gradient ?? paint.shade.pattern;
    for (const line of feature.lines) {
      const lengthPx = lengthOf(line);
      const alongSpan = (alongPx: number) => {
        const part = span.start + ((span.end - span.start) * alongPx) / lengthPx;
        return gradient === null ? toStep(part * NOMINAL_LENGTH_PX) : part * NOMINAL_LENGTH_PX;
      };
      draw(line, false, { ...paint, shade: { ...paint.shade, pattern } }, tileScale, alongSpan);
    }
  }
}

/** How many times tiles at the last zoom of their source may be enlarged */
function overzoomOf({ view, sourceOf }: PaintContext, { compiled }: SceneLayer): number {
  const source = sourceOf(compiled.source!);
  const isLast = source.type === 'geojson' && tileZoomOf(view.zoom) >= source.tiling.maxZoom;
  return isLast ? 2 ** (MAX_ZOOM - source.tiling.maxZoom) : 1;
}

/** The largest zoom of a map */
const MAX_ZOOM = 22;
