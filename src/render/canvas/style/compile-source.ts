/** Compiles a source declaration: its filter, feature ids, and tiling. */
import type {
  GeoJSONSourceSpecification,
  SourceSpecification,
  StyleExpression,
} from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { readFeatures } from '../../geojson-data.ts';
import type { CompiledSource, GeoJsonTiling } from './compiled-style.ts';
import { styleFeature, TILE_EXTENT } from './style-feature.ts';
import { featureFilter, createExpression } from '../../style-spec.ts';
import { TILE_SIZE_PX } from '../../../base/spatial/mercator.ts';
import type { ClusterOptions } from '@maplibre/geojson-vt';

export function compileSource(
  id: string,
  source: SourceSpecification,
  globalState: Record<string, unknown>,
): CompiledSource {
  const { type } = source;
  if (type !== 'geojson') {
    return { type, features: null, warnings: [], select: (features) => features, tiling: null };
  }
  const filter = sourceFilter(id, source, globalState);
  const idOf = featureIdReader(source);
  const { data } = source;
  const inline = typeof data === 'string' ? null : readFeatures(data, `sources.${id}.data`);
  return {
    type,
    features: inline?.features ?? null,
    warnings: inline?.warnings ?? [],
    select(features) {
      const selected = filter === null ? features : features.filter(filter);
      if (idOf === null) return selected;
      return selected.map((feature, index) => ({ ...feature, id: idOf(feature, index) }));
    },
    tiling: tilingOf(id, source),
  };
}

function sourceFilter(
  id: string,
  { filter }: GeoJSONSourceSpecification,
  globalState: Record<string, unknown>,
): ((feature: Feature) => boolean) | null {
  if (filter === undefined) return null;
  const passes = featureFilter(filter as never, `sources.${id}.filter`, globalState).filter;
  return (feature) => {
    const style = styleFeature(feature);
    return style !== null && passes({ zoom: 0 }, style as never);
  };
}

/** Returns a function that assigns feature ids, or null if features keep their own. */
function featureIdReader({ promoteId, generateId }: GeoJSONSourceSpecification) {
  if (typeof promoteId === 'string') {
    return ({ properties }: Feature) => properties?.[promoteId] as string | number | undefined;
  }
  return generateId === true ? (_feature: Feature, index: number) => index : null;
}

/** The library has no tiles beyond this zoom, and no picture shows them. */
const LAST_TILE_ZOOM = 24;

const UNITS_PER_PX = TILE_EXTENT / TILE_SIZE_PX;

/** Converts the options to those of the library, with MapLibre's defaults. */
function tilingOf(id: string, source: GeoJSONSourceSpecification): GeoJsonTiling {
  const { buffer = 128, tolerance = 0.375 } = source;
  const maxzoom = Math.max(0, Math.min(LAST_TILE_ZOOM, source.maxzoom ?? 18));
  return {
    maxZoom: maxzoom,
    extent: TILE_EXTENT,
    buffer: buffer * UNITS_PER_PX,
    tolerance: tolerance * UNITS_PER_PX,
    lineMetrics: source.lineMetrics ?? false,
    // Only tiles in view are requested, so none are generated in advance.
    indexMaxZoom: 0,
    indexMaxPoints: 0,
    cluster: source.cluster ?? false,
    clusterOptions: {
      extent: TILE_EXTENT,
      // As in MapLibre, 0 means the default.
      radius: (source.clusterRadius || 50) * UNITS_PER_PX,
      maxZoom: Math.round(source.clusterMaxZoom || maxzoom - 1),
      minPoints: Math.max(2, source.clusterMinPoints ?? 2),
      ...clusterReducer(id, (source.clusterProperties ?? {}) as Record<string, [unknown, unknown]>),
    },
  };
}

/** Properties that a cluster computes from its points, as `clusterProperties` of a source declares. */
type Properties = Record<string, unknown>;

/**
 * Returns the functions that initialize a cluster's properties from a point and add those of the next
 * point.
 */
function clusterReducer(
  id: string,
  declared: Readonly<Record<string, readonly [operator: unknown, value: unknown]>>,
): Pick<ClusterOptions, 'map' | 'reduce'> {
  const compiled = Object.entries(declared).map(([name, [operator, value]]) => {
    const path = `sources.${id}.clusterProperties.${name}`;
    const add = Array.isArray(operator) ? operator : [operator, ['accumulated'], ['get', name]];
    return { name, valueOf: compile(value, `${path}[1]`), add: compile(add, `${path}[0]`) };
  });
  if (compiled.length === 0) return {};
  return {
    map: (properties) =>
      Object.fromEntries(compiled.map(({ name, valueOf }) => [name, valueOf(properties ?? {})])),
    reduce(accumulated, properties) {
      for (const { name, add } of compiled) {
        accumulated[name] = add(properties, accumulated[name]);
      }
    },
  };
}

function compile(expression: unknown, path: string) {
  const { value } = createExpression(expression, path) as { value: StyleExpression };
  return (properties: Properties, accumulated: unknown = null) =>
    value.evaluate({ zoom: 0, accumulated } as never, { properties } as never) as unknown;
}
