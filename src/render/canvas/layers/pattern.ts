/** Patterns: images that repeat across the plane or along lines. */
import type { ResolvedImage } from '@maplibre/maplibre-gl-style-spec';
import type { View3 } from '../../../base/spatial/view.ts';
import type { PictureData, StyleImage } from '../../scene.ts';
import type { Images } from '../images.ts';
import type { PaintContext, SceneLayer } from './painter.ts';
import { tileZoomOf } from '../style/property-values.ts';
import type { StyleFeature } from '../style/style-feature.ts';
import type { Ink, Tint } from '../raster/ink.ts';
import { LinePattern } from '../raster/line-pattern.ts';
import { FieldPatternInk, PatternInk, withOppositeEdges } from '../raster/pattern-ink.ts';
import { composeWarps, type Warp } from '../raster/warp.ts';
import { toPlane } from './textured.ts';

/**
 * Returns the ink of a feature's pattern. Returns null if its image is missing, and then nothing is drawn.
 *
 * @param tint color of the shapes of a signed distance field; null draws the field as it is
 */
type PatternOf = (feature: StyleFeature | undefined, tint: Tint | null) => Ink | null;

/**
 * Returns null if a layer has no pattern.
 *
 * @param dx,dy how far the layer is moved on the plane, in CSS pixels. The pattern moves along.
 */
export function patternOf(
  context: PaintContext,
  layer: SceneLayer,
  property: string,
  dx = 0,
  dy = 0,
): PatternOf | null {
  const imageOf = imageReader(layer, property, context.images);
  if (imageOf === null) return null;
  const inks = new Map<StyleImage, PatternInk>();
  return (feature, tint) => {
    const image = imageOf(feature);
    if (image === null) return null;
    const ink = inks.get(image) ?? patternInk(context, image, dx, dy);
    inks.set(image, ink);
    if (tint === null || !image.sdf) return ink;
    return new FieldPatternInk(ink, tint, context.surface.pixels.height);
  };
}

/** Returns a function that reads a feature's image, or null if the layer has no pattern. */
export function imageReader(
  { compiled, readLayout }: SceneLayer,
  property: string,
  images: Images,
): ((feature?: StyleFeature) => StyleImage | null) | null {
  // As in MapLibre, expressions see the zoom of the tiles.
  const read = readLayout<ResolvedImage | undefined>(property);
  const { kind } = compiled.properties.get(property)!;
  if ((kind === 'constant' || kind === 'camera') && read() === undefined) return null;
  return (feature) => {
    const image = images.named(String(read(feature) ?? ''), compiled.id);
    return image === null || image.width * image.height === 0 ? null : image;
  };
}

/**
 * Returns a function that reads the pattern of a line at an opacity (0..1), which is null if its image is
 * missing; or null if the layer has no pattern.
 */
export function linePatternReader(
  layer: SceneLayer,
  images: Images,
): ((feature: StyleFeature, opacity: number) => LinePattern | null) | null {
  const imageOf = imageReader(layer, 'line-pattern', images);
  if (imageOf === null) return null;
  const width = layer.readLayout<number>('line-width');
  const padded = new Map<StyleImage, PictureData>();
  return (feature, opacity) => {
    const image = imageOf(feature);
    if (image === null) return null;
    const repetition = padded.get(image) ?? withOppositeEdges(image);
    padded.set(image, repetition);
    return new LinePattern(repetition, (image.width / image.height) * width(feature), opacity);
  };
}

/**
 * Repetitions start at the world's northwest corner. They have the image's size at integer zooms, and grow
 * with the map in between.
 */
function patternInk(context: PaintContext, image: StyleImage, dx: number, dy: number): PatternInk {
  const toRepetitions = repetitionsOnPlane(context.view, image, dx, dy);
  return new PatternInk(image, composeWarps(toRepetitions, toPlane(context)));
}

/** Returns the warp from the plane, in CSS pixels, to repetitions of an image. */
export function repetitionsOnPlane(view: View3, image: StyleImage, dx: number, dy: number): Warp {
  const scale = 2 ** (tileZoomOf(view.zoom) - view.zoom) * image.pixelRatio;
  const [perX, perY] = [scale / image.width, scale / image.height];
  const [left, top] = [view.xOfWorld(0) + dx, view.yOfWorld(0) + dy];
  return Float64Array.of(perX, 0, -left * perX, 0, perY, -top * perY, 0, 0, 1);
}
