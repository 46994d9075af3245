/** Compiles a style document into layers and sources that are ready to evaluate. */
import type {
  LayerSpecification,
  StylePropertyExpression,
  StylePropertySpecification,
  StyleSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import { LRUCache } from 'lru-cache';
import { refuseInvalid } from '../../valid-style.ts';
import { operatorsIn, SHAPE_OPERATORS } from '../../expression-operators.ts';
import { compileSource } from './compile-source.ts';
import type { CompiledLayer, CompiledRoot, CompiledStyle, LayerType } from './compiled-style.ts';
import { refuseUnsupported, type LayerAtPath } from './refuse-unsupported.ts';
import {
  createVisibilityExpression,
  featureFilter,
  latest,
  normalizePropertyExpression,
} from '../../style-spec.ts';

/** The service uses the same few styles over and over. */
const compiledStyles = new LRUCache<string, CompiledStyle>({ max: 32 });
const compiledDocuments = new WeakMap<StyleSpecification, CompiledStyle>();

/**
 * Compiles the visible layers of a style and its sources. The document must not be changed afterwards.
 *
 * @throws InvalidSceneError if the document is not a valid style
 * @throws UnsupportedStyleError if it uses anything that the engine does not draw
 */
export function compileStyle(style: StyleSpecification): CompiledStyle {
  const known = compiledDocuments.get(style);
  if (known !== undefined) return known;
  const key = JSON.stringify(style);
  const compiled = compiledStyles.get(key) ?? compile(style);
  compiledStyles.set(key, compiled);
  compiledDocuments.set(style, compiled);
  return compiled;
}

function compile(style: StyleSpecification): CompiledStyle {
  refuseInvalid(style);
  const state = globalState(style);
  const visible = style.layers
    .map((layer, index) => ({ layer, path: `layers[${index}]` }))
    .filter((atPath) => isVisible(atPath, state));
  refuseUnsupported(style, visible);
  return {
    layers: visible.map((atPath) => compileLayer(atPath, state)),
    sources: Object.fromEntries(
      Object.entries(style.sources).map(([id, source]) => [id, compileSource(id, source, state)]),
    ),
    light: compileRoot('light', style.light ?? {}, state),
    sky: style.sky === undefined ? null : compileRoot('sky', style.sky, state),
  };
}

/** Values of `["global-state", name]`: the defaults, since nothing changes them in a still picture. */
function globalState({ state }: StyleSpecification): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(state ?? {}).map(([name, property]) => [name, property.default]),
  );
}

function compileRoot<T>(
  name: 'light' | 'sky',
  values: object,
  state: Record<string, unknown>,
): CompiledRoot<T> {
  type Reference = Record<string, StylePropertySpecification & { default: unknown }>;
  const expressions = Object.entries(latest[name] as Reference).map(
    ([property, specification]): [string, StylePropertyExpression] => [
      property,
      normalizePropertyExpression(
        ((values as Record<string, unknown>)[property] ?? specification.default) as string,
        `${name}.${property}`,
        specification,
        state,
      ),
    ],
  );
  return (zoom) =>
    Object.fromEntries(
      expressions.map(([property, expression]) => [property, expression.evaluate({ zoom })]),
    ) as T;
}

function isVisible({ layer, path }: LayerAtPath, state: Record<string, unknown>): boolean {
  const visibility = layer.layout?.visibility ?? 'visible';
  const property = `${path}.layout.visibility`;
  return createVisibilityExpression(visibility, property, state).evaluate() === 'visible';
}

/** Layers with the same values of these differ only in paint properties. */
const LAYOUT_KEYS = 'type source source-layer minzoom maxzoom filter layout'.split(' ');

function compileLayer({ layer, path }: LayerAtPath, state: Record<string, unknown>): CompiledLayer {
  const filter = 'filter' in layer ? layer.filter : undefined;
  return {
    id: layer.id,
    path,
    type: layer.type as LayerType,
    source: 'source' in layer ? layer.source : null,
    sourceLayer: ('source-layer' in layer ? layer['source-layer'] : undefined) ?? null,
    minZoom: layer.minzoom ?? -Infinity,
    maxZoom: layer.maxzoom ?? Infinity,
    filter: filter === undefined ? null : featureFilter(filter, `${path}.filter`, state).filter,
    readsShapes: readsShapes(layer),
    properties: new Map([
      ...compileProperties(layer, 'layout', path, state),
      ...compileProperties(layer, 'paint', path, state),
    ]),
    layoutKey: JSON.stringify(LAYOUT_KEYS.map((key) => layer[key as keyof typeof layer])),
    given: new Set([...Object.keys(layer.layout ?? {}), ...Object.keys(layer.paint ?? {})]),
  };
}

function readsShapes(layer: LayerSpecification): boolean {
  const values = [
    'filter' in layer ? layer.filter : null,
    ...Object.values(layer.layout ?? {}),
    ...Object.values(layer.paint ?? {}),
  ];
  return values.some((value) => [...operatorsIn(value)].some((word) => SHAPE_OPERATORS.has(word)));
}

function compileProperties(
  layer: LayerSpecification,
  group: 'layout' | 'paint',
  path: string,
  state: Record<string, unknown>,
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
        convertTokens(values[name] ?? specification.default, specification) as string,
        `${path}.${group}.${name}`,
        specification,
        state,
      ),
    ]);
}

/**
 * Converts `{name}` tokens in a plain text to an expression. The tokens and zoom functions with `stops`
 * are the syntax that preceded expressions.
 */
function convertTokens(value: unknown, specification: StylePropertySpecification): unknown {
  if (!('tokens' in specification)) return value;
  if (typeof value === 'string') {
    const parts = value.split(/\{([^{}]+)\}/);
    const texts = parts.map((part, i) => (i % 2 === 0 ? part : ['to-string', ['get', part]]));
    return ['concat', ...texts];
  }
  if (!isZoomFunction(value)) return value;
  const [[, first], ...others] = value.stops.map(
    ([zoom, text]) => [zoom, convertTokens(text, specification)] as const,
  ) as [readonly [number, unknown], ...(readonly [number, unknown])[]];
  return others.length === 0 ? first : ['step', ['zoom'], first, ...others.flat()];
}

function isZoomFunction(value: unknown): value is { stops: [zoom: number, text: unknown][] } {
  return value instanceof Object && 'stops' in value && !('property' in value);
}
