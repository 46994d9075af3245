/** Draws fill layers. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { signedAreaPx, type FlatPoints } from '../../../base/spatial/flat.ts';
import { sortByKey } from './sort-by-key.ts';
import type { PaintContext, SceneLayer } from './painter.ts';
import { patternOf } from './pattern.ts';
import { Area } from '../raster/area.ts';
import { InkBrush, TintBrush, type Brush } from '../raster/brush.ts';
import { MIN_OPACITY, tintOf } from '../raster/ink.ts';
import type { ScreenFeature } from '../sources/screen-feature.ts';
import type { StyleFeature } from '../style/style-feature.ts';
import { translation } from '../style/property-values.ts';

/**
 * Draws all areas with hard edges, then all outlines, as MapLibre does. Without an outline color, the
 * outline is drawn like the area: this smooths the edge and darkens the rim of a translucent area.
 */
export function drawFill(context: PaintContext, layer: SceneLayer): void {
  const { view } = context;
  const { pixelRatio } = context.surface;
  const { read, readLayout, features } = layer;
  const opacity = read<number>('fill-opacity');
  const [dx, dy] = translation(layer, view);
  const move = { dx, dy, scale: pixelRatio };
  const drawn: DrawnFeature[] = [];
  for (const feature of sortByKey(features, readLayout('fill-sort-key'))) {
    const opacityHere = opacity(feature.style);
    if (opacityHere < MIN_OPACITY) continue;
    const areas = fillableRings(feature).map((rings) => new Area(view, rings, move));
    drawn.push({ feature, areas, opacity: opacityHere });
  }
  const areaBrush = brushReader(context, layer, dx, dy);
  drawEach(drawn, 'fill', areaBrush, context);
  if (read<boolean>('fill-antialias')())
    drawEach(drawn, 'outline', outlineBrush(context, layer, areaBrush), context);
}

interface DrawnFeature {
  feature: ScreenFeature;
  areas: readonly Area[];
  opacity: number;
}

function drawEach(
  drawn: readonly DrawnFeature[],
  part: keyof Brush,
  brushOf: BrushOf,
  { surface: { pixels }, clipToTile }: PaintContext,
): void {
  for (const { feature, areas, opacity } of drawn) {
    const brush = brushOf(feature.style, opacity);
    if (brush === null) continue;
    clipToTile(pixels, feature.tile);
    for (const area of areas) brush[part](area);
  }
}

/** Returns null for an area that isn't drawn. */
type BrushOf = (feature: StyleFeature, opacity: number) => Brush | null;

function brushReader(context: PaintContext, layer: SceneLayer, dx: number, dy: number): BrushOf {
  const { pixels } = context.surface;
  const color = layer.read<Color>('fill-color');
  const pattern = patternOf(context, layer, 'fill-pattern', dx, dy);
  if (pattern === null) {
    return (feature, opacity) => new TintBrush(pixels, tintOf(color(feature), opacity));
  }
  return (feature, opacity) => {
    const ink = pattern(feature, tintOf(color(feature), 1));
    return ink === null ? null : new InkBrush(pixels, ink, opacity);
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
    return new TintBrush(pixels, tintOf(outline, opacity));
  };
}

/** As in MapLibre, a line is filled as if closed, and a ring without area is dropped. */
function fillableRings({ polygons, lines }: ScreenFeature): FlatPoints[][] {
  const fillable: FlatPoints[][] = [];
  for (const rings of polygons) addFillable(rings, fillable);
  for (const line of lines) addFillable([line], fillable);
  return fillable;
}

function addFillable(rings: readonly FlatPoints[], fillable: FlatPoints[][]): void {
  const kept: FlatPoints[] = [];
  for (const ring of rings) if (Math.abs(signedAreaPx(ring)) > MIN_AREA_PX) kept.push(ring);
  if (kept.length > 0) fillable.push(kept);
}

/** Far smaller than a step of the vertex grid, far larger than rounding errors */
const MIN_AREA_PX = 1e-6;
