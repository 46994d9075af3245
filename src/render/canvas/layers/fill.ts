/** Draws fill layers. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { signedAreaPx, type FlatPoints } from '../../../spatial/flat.ts';
import { sortByKey } from './sort-by-key.ts';
import type { PaintContext, SceneLayer } from './painter.ts';
import { patternOf } from './pattern.ts';
import { Area } from '../raster/area.ts';
import { inkBrush, tintBrush, type Brush } from '../raster/brush.ts';
import { MIN_OPACITY, tintOf } from '../raster/pixels.ts';
import type { ScreenFeature } from '../sources/screen-feature.ts';
import type { StyleFeature } from '../style/property-values.ts';
import { translation } from './translate.ts';

/**
 * Draws all areas with hard edges, then all outlines, as MapLibre does. Without an outline color, the
 * outline is drawn like the area: this smooths the edge and darkens the rim of a translucent area.
 */
export function drawFill(context: PaintContext, layer: SceneLayer): void {
  const { surface, view, clipToTile } = context;
  const { pixels, pixelRatio } = surface;
  const { read, readLayout, features } = layer;
  const opacity = read<number>('fill-opacity');
  const [dx, dy] = translation(layer, view);
  const move = { dx, dy, scale: pixelRatio };
  const drawn = sortByKey(features, readLayout('fill-sort-key')).map((feature) => ({
    feature,
    areas: fillableRings(feature).map((rings) => new Area(view, rings, move)),
  }));

  const drawEach = (brushOf: BrushOf, draw: (brush: Brush, area: Area) => void) => {
    for (const { feature, areas } of drawn) {
      const opacityHere = opacity(feature.style);
      if (opacityHere < MIN_OPACITY) continue;
      const brush = brushOf(feature.style, opacityHere);
      if (brush === null) continue;
      clipToTile(pixels, feature.tile);
      for (const area of areas) draw(brush, area);
    }
  };
  const areaBrush = brushReader(context, layer, dx, dy);
  drawEach(areaBrush, (brush, area) => brush.fill(area));
  if (read<boolean>('fill-antialias')())
    drawEach(outlineBrush(context, layer, areaBrush), (brush, area) => brush.outline(area));
}

/** Returns null for an area that isn't drawn. */
type BrushOf = (feature: StyleFeature, opacity: number) => Brush | null;

function brushReader(context: PaintContext, layer: SceneLayer, dx: number, dy: number): BrushOf {
  const { pixels } = context.surface;
  const color = layer.read<Color>('fill-color');
  const pattern = patternOf(context, layer, 'fill-pattern', dx, dy);
  if (pattern === null) {
    return (feature, opacity) => tintBrush(pixels, tintOf(color(feature), opacity));
  }
  return (feature, opacity) => {
    const ink = pattern(feature, tintOf(color(feature), 1));
    return ink === null ? null : inkBrush(pixels, ink, opacity);
  };
}

function outlineBrush(
  { surface: { pixels } }: PaintContext,
  { compiled, read }: SceneLayer,
  areaBrush: BrushOf,
): BrushOf {
  if (!compiled.given.has('fill-outline-color')) return areaBrush;
  const color = read<Color | undefined>('fill-outline-color');
  return (feature, opacity) => {
    const outline = color(feature);
    if (outline === undefined) return areaBrush(feature, opacity);
    return tintBrush(pixels, tintOf(outline, opacity));
  };
}

/** As in MapLibre, a line is filled as if closed, and a ring without area is dropped. */
function fillableRings({ polygons, lines }: ScreenFeature): FlatPoints[][] {
  return [...polygons, ...lines.map((line) => [line])]
    .map((rings) => rings.filter((ring) => Math.abs(signedAreaPx(ring)) > MIN_AREA_PX))
    .filter((rings) => rings.length > 0);
}

/** Far smaller than a step of the vertex grid, far larger than rounding errors */
const MIN_AREA_PX = 1e-6;
