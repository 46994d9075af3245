/** Reading the properties of a layer for one picture: at its zoom, feature by feature. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import type { CompiledLayer } from './compile.ts';

/** A feature as expressions see it. */
export interface StyleFeature {
  readonly type: 'Point' | 'LineString' | 'Polygon';
  readonly id?: string | number | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A property's value for a feature. */
export type Value<T> = (feature?: StyleFeature) => T;

/** Reads a property: `at(layer, zoom)<number>('line-width')` is a function of the feature. */
export type ReadProperty = <T>(name: string) => Value<T>;

/** Properties of a layer at a zoom. What does not depend on the feature is evaluated once. */
export function propertiesAt(layer: CompiledLayer, zoom: number): ReadProperty {
  const globals = { zoom };
  return <T>(name: string): Value<T> => {
    const expression = layer.properties.get(name);
    if (expression === undefined) throw new Error(`${layer.type} layers have no ${name}`);
    if (expression.kind === 'constant' || expression.kind === 'camera') {
      const value = expression.evaluate(globals) as T;
      return () => value;
    }
    return (feature) => expression.evaluate(globals, feature as never, {}) as T;
  };
}

/** A colour for the canvas. */
export interface Ink {
  css: string;
  /** The alpha in it, 0..1 */
  alpha: number;
  /** Whether it hides what lies below */
  opaque: boolean;
}

/** A style colour under an opacity (0..1); null when nothing of it would show. */
export function inkOf(color: Color, opacity: number): Ink | null {
  const [r, g, b, alpha] = color.rgb;
  const shown = alpha * opacity;
  if (shown <= 0) return null;
  const channels = [r, g, b].map((channel) => Math.round(channel * 255)).join(',');
  return { css: `rgba(${channels},${shown})`, alpha: shown, opaque: shown >= 1 };
}
