/** Draws line layers as triangles, shaded as MapLibre's shaders do. */
import { orientInsideRight, type FlatPoints } from '../../../base/spatial/flat.ts';
import { TILE_SIZE_PX } from '../../../base/spatial/mercator.ts';
import { gradientReader, lengthOf, NOMINAL_LENGTH_PX, spanOf } from './line-gradient.ts';
import { meshLine, type LineMeasure } from './line-mesh.ts';
import { linePaint, type LinePaint } from './line-paint.ts';
import type { PaintContext, SceneLayer } from '../layers/painter.ts';
import { stripDrawer } from './line-strip.ts';
import { sortByKey } from '../layers/sort-by-key.ts';
import { tileZoomOf, translation } from '../style/property-values.ts';

/** Distances along a line are rounded down to this step, in tile pixels. */
const ALONG_STEP_PX = 1 / 8;

/** In tiles that are enlarged more, lines have no cross sections next to sharp corners. */
const MAX_ENLARGEMENT = 16;

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
    { form, shade, offsetPx }: LinePaint,
    tileScale: number,
    measure: LineMeasure,
  ) => {
    const isPlain = shade.dash === null && shade.pattern === null;
    const strip = { shade, dx, dy, offsetPx };
    const drawCorners = stripDrawer(strip, view, pixels, pixelRatio);
    const measured = isPlain ? null : measure;
    meshLine(pixels.memory, points, isRing, form, measured, tileScale, drawCorners);
  };

  for (const feature of sortByKey(features, readLayout('line-sort-key'))) {
    const paint = paintOf(feature.style);
    if (paint === null) continue;
    const { tile } = feature;
    clipToTile(pixels, tile);
    const enlarged = tile === null ? 1 : (tile.maxX - tile.minX) / TILE_SIZE_PX / sceneScale;
    // In level views, only tiles at the last zoom of their source are. In steep ones, tiles have several zooms.
    const enlargement = view.isLevel ? 2 ** Math.round(Math.log2(enlarged)) : enlarged;
    const tileMeasure: LineMeasure = {
      start: 0,
      change: 1,
      lengthPx: sceneScale * enlargement,
      units: 1,
      step: ALONG_STEP_PX,
      scale: enlargement,
    };
    // MapLibre keeps the size of sharp corners in such tiles, up to a limit.
    const keepsCorners = view.isLevel && enlargement > 1;
    const cornerScale = !keepsCorners ? enlargement : enlargement > MAX_ENLARGEMENT ? 0 : 1;
    const tileScale = sceneScale * cornerScale;
    const span = spanOf(feature.style);
    if (span === null) {
      // Only lines have the metrics that gradients need.
      if (gradientOf !== null) continue;
      for (const rings of feature.polygons) {
        for (const [i, ring] of rings.entries())
          draw(orientInsideRight(ring, i === 0), true, paint, tileScale, tileMeasure);
      }
      for (const line of feature.lines) draw(line, false, paint, tileScale, tileMeasure);
      continue;
    }
    const gradient = gradientOf?.(feature, span) ?? null;
    const pattern = gradient ?? paint.shade.pattern;
    for (const line of feature.lines) {
      const spanMeasure: LineMeasure = {
        start: span.start,
        change: span.end - span.start,
        lengthPx: lengthOf(line),
        units: NOMINAL_LENGTH_PX,
        step: gradient === null ? ALONG_STEP_PX : 0,
        scale: 1,
      };
      draw(line, false, { ...paint, shade: { ...paint.shade, pattern } }, tileScale, spanMeasure);
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
