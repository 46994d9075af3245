/** Evaluates a line layer's paint for each feature, in the units of MapLibre's shaders. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import type { CompiledLayer } from '../style/compiled-style.ts';
import type { LineCap, LineForm, LineJoin } from './line-mesh.ts';
import { DashPattern } from '../raster/dash-pattern.ts';
import type { PaintContext, SceneLayer } from '../layers/painter.ts';
import { linePatternReader } from '../layers/pattern.ts';
import { MIN_OPACITY, tintOf } from '../raster/ink.ts';
import type { LineShade } from '../raster/strip.ts';
import { propertyReader, tileZoomOf } from '../style/property-values.ts';
import type { StyleFeature } from '../style/style-feature.ts';

export interface LinePaint {
  form: LineForm;
  shade: LineShade;
  offsetPx: number;
}

/** Returns a function that evaluates the paint of a feature: null if the line is invisible. */
export function linePaint(
  { images, view: { zoom }, surface: { pixelRatio } }: PaintContext,
  layer: SceneLayer,
): (feature: StyleFeature) => LinePaint | null {
  const { compiled, read, readLayout } = layer;
  const color = read<Color>('line-color');
  const opacity = read<number>('line-opacity');
  const width = read<number>('line-width');
  const gap = read<number>('line-gap-width');
  const blur = read<number>('line-blur');
  const offset = read<number>('line-offset');
  const cap = readLayout<LineCap>('line-cap');
  const join = readLayout<LineJoin>('line-join');
  const miterLimit = readLayout<number>('line-miter-limit');
  const roundLimit = readLayout<number>('line-round-limit');
  const dashOf = dashReader(compiled, zoom, pixelRatio);
  const patternOf = linePatternReader(layer, images);
  // Edges are smoothed over one device pixel, half of it outside.
  const smoothPx = 0.5 / pixelRatio;
  return (feature) => {
    const featureOpacity = opacity(feature);
    const widthPx = width(feature);
    if (featureOpacity < MIN_OPACITY || widthPx <= 0) return null;
    const featureCap = cap(feature);
    const pattern = patternOf?.(feature, featureOpacity) ?? null;
    if (patternOf !== null && pattern === null) return null;
    // As in MapLibre, patterns aren't dashed.
    const dash = patternOf === null ? dashOf(feature, featureCap) : null;
    if (dash?.isBlank === true) return null;
    const halfGapPx = gap(feature) / 2;
    const isGapped = halfGapPx > 0;
    return {
      form: {
        cap: featureCap,
        join: join(feature),
        miterLimit: miterLimit(feature),
        roundLimit: roundLimit(feature),
      },
      offsetPx: offset(feature),
      shade: {
        tint: tintOf(color(feature), featureOpacity),
        outerPx: halfGapPx + (isGapped ? widthPx : widthPx / 2) + smoothPx,
        innerPx: isGapped ? halfGapPx + smoothPx : 0,
        fadePx: blur(feature) + 2 * smoothPx,
        dash,
        pattern,
      },
    };
  };
}

/** Returns a function that reads a feature's dashes, scaled by its width at the tile zoom. */
function dashReader(
  layer: CompiledLayer,
  zoom: number,
  pixelRatio: number,
): (feature: StyleFeature, cap: LineCap) => DashPattern | null {
  type Parts = readonly number[] | undefined;
  const dash = propertyReader(layer, zoom)<Parts>('line-dasharray');
  // A moving map would fade from this pattern to `dash`. Here it only affects the sharpness of ends.
  const previousDash = propertyReader(
    layer,
    Number.isInteger(zoom) ? zoom + 1 : zoom - 1,
  )<Parts>('line-dasharray');
  const width = propertyReader(layer, tileZoomOf(zoom))<number>('line-width');
  const patterns = new Map<string, DashPattern>();
  return (feature, cap) => {
    const parts = dash(feature);
    if (parts === undefined) return null;
    const isRound = cap === 'round';
    const measure = {
      widthPx: width(feature),
      previousParts: previousDash(feature) ?? parts,
      pixelRatio,
    };
    const key = JSON.stringify([parts, isRound, measure]);
    const pattern = patterns.get(key) ?? new DashPattern(parts, isRound, measure);
    patterns.set(key, pattern);
    return pattern;
  };
}
