/** Reading the properties of a layer for one picture: at its zoom, feature by feature. */
import { Color } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import type { CompiledLayer } from './compiled-style.ts';

/** A feature as expressions see it. */
export interface StyleFeature {
  readonly type: 'Point' | 'LineString' | 'Polygon';
  readonly id?: string | number | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Null for what the specification does not draw: a collection, or no geometry at all. */
export function styleFeature({ id, geometry, properties }: Feature): StyleFeature | null {
  if (geometry === null || geometry.type === 'GeometryCollection') return null;
  return {
    type: geometry.type.replace('Multi', '') as StyleFeature['type'],
    // Ids are numbers in MapLibre, as in its tiles.
    id: typeof id === 'string' ? Number.parseInt(id, 10) : id,
    properties: properties ?? {},
  };
}

/** A property's value for a feature. */
export type Value<T> = (feature?: StyleFeature) => T;

/** Reads a property: `at(layer, zoom)<number>('line-width')` is a function of the feature. */
export type ReadProperty = <T>(name: string) => Value<T>;

/** The zoom of the tiles that MapLibre makes a picture of; layout and filters are evaluated there. */
export function tileZoomOf(zoom: number): number {
  return Math.max(0, Math.floor(zoom));
}

/**
 * Properties of a layer at a zoom. What does not depend on the feature is evaluated once. What
 * depends on both, MapLibre evaluates at the whole zooms around only, and passes straight from one
 * to the other, as far as the expression says.
 */
export function propertiesAt(layer: CompiledLayer, zoom: number): ReadProperty {
  const globals = { zoom };
  const tileZoom = tileZoomOf(zoom);
  const [lower, upper] = [{ zoom: tileZoom }, { zoom: tileZoom + 1 }];
  return <T>(name: string): Value<T> => {
    const expression = layer.properties.get(name);
    if (expression === undefined) throw new Error(`${layer.type} layers have no ${name}`);
    if (expression.kind === 'constant' || expression.kind === 'camera') {
      const value = expression.evaluate(globals) as T;
      return () => value;
    }
    if (expression.kind === 'source') {
      return (feature) => expression.evaluate(globals, feature as never, {}) as T;
    }
    const part = expression.interpolationFactor(zoom, lower.zoom, upper.zoom);
    return (feature) => {
      const from = expression.evaluate(lower, feature as never, {}) as T;
      if (part <= 0) return from;
      return between(
        from,
        expression.evaluate(upper, feature as never, {}) as T,
        Math.min(1, part),
      );
    };
  };
}

/** Only numbers and colours have something between them. */
function between<T>(from: T, to: T, part: number): T {
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
