/** From a style document to layers ready to evaluate, or the error that says why not. */
import {
  featureFilter,
  latest,
  normalizePropertyExpression,
  type FeatureFilter,
  type FilterSpecification,
  type LayerSpecification,
  type StylePropertyExpression,
  type StylePropertySpecification,
  type StyleSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { LRUCache } from 'lru-cache';
import { UnsupportedStyleError } from '../errors.ts';
import { refuseUndrawable } from './refuse.ts';

export type LayerType = 'background' | 'fill' | 'line' | 'circle' | 'symbol';

export interface CompiledLayer {
  /** Place in the document, e.g. `layers[3]`, for messages */
  path: string;
  type: LayerType;
  /** Null for a background */
  source: string | null;
  visible: boolean;
  minZoom: number;
  maxZoom: number;
  filter: FeatureFilter['filter'] | null;
  /** Every layout and paint property of the type, defaults included */
  properties: ReadonlyMap<string, StylePropertyExpression>;
}

export interface CompiledStyle {
  layers: readonly CompiledLayer[];
  /** Features that the document itself holds, by source id */
  sources: Readonly<Record<string, readonly Feature[]>>;
}

/** A service draws with a handful of styles, again and again. */
const compiled = new LRUCache<string, CompiledStyle>({ max: 32 });

/** @throws InvalidSceneError, UnsupportedStyleError */
export function compileStyle(style: StyleSpecification): CompiledStyle {
  const key = JSON.stringify(style);
  let result = compiled.get(key);
  if (result === undefined) {
    refuseUndrawable(style);
    result = {
      layers: style.layers.map((layer, index) => compileLayer(layer, `layers[${index}]`)),
      sources: Object.fromEntries(
        Object.entries(style.sources).map(([id, source]) => [id, inlineFeatures(id, source)]),
      ),
    };
    compiled.set(key, result);
  }
  return result;
}

function compileLayer(layer: LayerSpecification, path: string): CompiledLayer {
  const filter = 'filter' in layer ? compileFilter(layer.filter, path) : null;
  return {
    path,
    type: layer.type as LayerType,
    source: 'source' in layer ? layer.source : null,
    visible: layer.layout?.visibility !== 'none',
    minZoom: layer.minzoom ?? -Infinity,
    maxZoom: layer.maxzoom ?? Infinity,
    filter,
    properties: new Map([
      ...compileProperties(layer, 'layout', path),
      ...compileProperties(layer, 'paint', path),
    ]),
  };
}

function compileFilter(
  filter: FilterSpecification | undefined,
  path: string,
): FeatureFilter['filter'] | null {
  return filter === undefined ? null : featureFilter(filter, `${path}.filter`).filter;
}

function compileProperties(
  layer: LayerSpecification,
  group: 'layout' | 'paint',
  path: string,
): [string, StylePropertyExpression][] {
  const reference = latest as unknown as Record<
    string,
    Record<string, StylePropertySpecification & { default?: unknown }>
  >;
  const values = (layer[group] ?? {}) as Record<string, unknown>;
  return Object.entries(reference[`${group}_${layer.type}`]!)
    .filter(([name]) => name !== 'visibility')
    .map(([name, specification]) => [
      name,
      normalizePropertyExpression(
        withTokens(values[name] ?? specification.default, specification) as string,
        `${path}.${group}.${name}`,
        specification,
      ),
    ]);
}

/** `{name}` in a plain text stands for a property: the older way to write an expression. */
function withTokens(value: unknown, specification: StylePropertySpecification): unknown {
  if (!('tokens' in specification) || typeof value !== 'string') return value;
  const parts = value.split(/\{([^{}]+)\}/);
  return ['concat', ...parts.map((part, i) => (i % 2 === 0 ? part : ['to-string', ['get', part]]))];
}

function inlineFeatures(id: string, source: StyleSpecification['sources'][string]): Feature[] {
  const data = source.type === 'geojson' ? source.data : undefined;
  if (typeof data === 'string') {
    throw new UnsupportedStyleError(`sources.${id}.data`, 'must hold features, not an address');
  }
  if (data === undefined) return [];
  if (data.type === 'FeatureCollection') return data.features;
  if (data.type === 'Feature') return [data];
  return [{ type: 'Feature', properties: {}, geometry: data }];
}
