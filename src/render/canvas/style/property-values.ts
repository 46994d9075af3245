/** Evaluates layer properties at a picture's zoom, feature by feature. */
import type { StylePropertyExpression } from '@maplibre/maplibre-gl-style-spec';
import { toRadians } from '../../../base/spatial/perspective.ts';
import type { View3 } from '../../../base/spatial/view.ts';
import type { CompiledLayer } from './compiled-style.ts';
import { Color } from '../../style-spec.ts';
import type { StyleFeature } from './style-feature.ts';

export type Value<T> = (feature?: StyleFeature) => T;

/** Reads a property: `read<number>('line-width')` returns a function of the feature. */
export type ReadProperty = <T>(name: string) => Value<T>;

/** A layer with its properties at the zoom of a picture */
export interface LayerAtZoom {
  compiled: CompiledLayer;
  /** Reads properties at the zoom of the picture. */
  read: ReadProperty;
  /** Reads properties at the zoom of the tiles. */
  readLayout: ReadProperty;
}

/** Zoom of the tiles that MapLibre would show. Layout properties and filters are evaluated there. */
export function tileZoomOf(zoom: number): number {
  return Math.max(0, Math.floor(zoom));
}

/**
 * Returns a reader of a layer's properties at a zoom. Properties that do not depend on the feature are
 * evaluated once. Properties that depend on both feature and zoom are evaluated at the two nearest
 * integer zooms and interpolated linearly, as in MapLibre.
 *
 * @param images names of the available images, for `["image", name]`
 */
export function propertyReader(
  layer: CompiledLayer,
  zoom: number,
  images: readonly string[] = [],
): ReadProperty {
  const globals = { zoom };
  const tileZoom = tileZoomOf(zoom);
  const [lower, upper] = [{ zoom: tileZoom }, { zoom: tileZoom + 1 }];
  return <T>(name: string): Value<T> => {
    const expression = layer.properties.get(name);
    if (expression === undefined) throw new Error(`${layer.type} layers have no property ${name}`);
    if (expression.kind === 'constant' || expression.kind === 'camera') {
      const value = evaluate<T>(expression, globals, images);
      return () => value;
    }
    if (expression.kind === 'source') {
      return (feature) => evaluate<T>(expression, globals, images, feature);
    }
    const part = expression.interpolationFactor(zoom, lower.zoom, upper.zoom);
    return (feature) => {
      const from = evaluate<T>(expression, lower, images, feature);
      if (part <= 0) return from;
      return interpolate(from, evaluate<T>(expression, upper, images, feature), Math.min(1, part));
    };
  };
}

/** Evaluates an expression for a feature and its tile. */
export function evaluate<T>(
  expression: StylePropertyExpression,
  globals: { zoom: number },
  images: readonly string[],
  feature?: StyleFeature,
): T {
  return expression.evaluate(
    globals,
    feature as never,
    {},
    feature?.tile as never,
    images as string[],
  ) as T;
}

/** Interpolates numbers and colors; other values keep `from`. */
function interpolate<T>(from: T, to: T, part: number): T {
  if (typeof from === 'number' && typeof to === 'number') {
    return (from + (to - from) * part) as T;
  }
  if (from instanceof Color && to instanceof Color) {
    const mix = (a: number, b: number) => a + (b - a) * part;
    return new Color(
      mix(from.r, to.r),
      mix(from.g, to.g),
      mix(from.b, to.b),
      mix(from.a, to.a),
    ) as T;
  }
  return from;
}

/** Reads how far a layer's shapes, or a part of its symbols, are moved on the plane, in CSS pixels. */
export function translation(
  { read, compiled: { type } }: Pick<LayerAtZoom, 'read' | 'compiled'>,
  { bearing }: View3,
  part: string = type,
): [dx: number, dy: number] {
  const [x, y] = read<[number, number]>(`${part}-translate`)();
  const anchor = read<'map' | 'viewport'>(`${part}-translate-anchor`)();
  if (bearing === 0 || anchor === 'map') return [x, y];
  const angle = toRadians(bearing);
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
}
