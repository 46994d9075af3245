/** Refuses styles that use anything outside the subset that the engine draws. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { isDeepStrictEqual } from 'node:util';
import { UnsupportedStyleError } from '../errors.ts';
import {
  LAYER_KEYS,
  LAYER_SUBSETS,
  REFUSED_OPERATORS,
  SOURCE_SUBSETS,
  STYLE_SUBSET,
  type Allowed,
} from './style-subset.ts';

/** A layer with its path in the document, such as `layers[3]` */
export interface LayerAtPath {
  layer: LayerSpecification;
  path: string;
}

/**
 * Checks the visible layers and the sources that they use.
 *
 * @throws UnsupportedStyleError naming the first unsupported property
 */
export function refuseUnsupported(
  style: StyleSpecification,
  visible: readonly LayerAtPath[],
): void {
  refuseBeyond(STYLE_SUBSET, style, '');
  for (const { layer, path } of visible) refuseLayer(layer, path);
  for (const id of new Set(
    visible.flatMap(({ layer }) => ('source' in layer ? layer.source : [])),
  )) {
    refuseSource(id, style.sources[id]!);
  }
}

function refuseSource(id: string, source: StyleSpecification['sources'][string]): void {
  const path = `sources.${id}.`;
  const subset = SOURCE_SUBSETS[source.type];
  if (subset === undefined) throw new UnsupportedStyleError(`${path}type`);
  refuseBeyond(subset, source, path);
  if (source.type === 'geojson') refuseOperators(source.filter, `${path}filter`);
}

function refuseLayer(layer: LayerSpecification, path: string): void {
  const subset = LAYER_SUBSETS[layer.type];
  if (subset === undefined) throw new UnsupportedStyleError(`${path}.type`);
  for (const key of Object.keys(layer)) {
    if (!LAYER_KEYS.has(key)) throw new UnsupportedStyleError(`${path}.${key}`);
  }
  if ('filter' in layer) refuseOperators(layer.filter, `${path}.filter`);
  for (const group of ['layout', 'paint'] as const) {
    const properties = layer[group] ?? {};
    refuseBeyond(subset[group], properties, `${path}.${group}.`);
    for (const [name, value] of Object.entries(properties)) {
      refuseOperators(value, `${path}.${group}.${name}`);
    }
  }
}

function refuseBeyond(
  subset: Readonly<Record<string, Allowed>>,
  properties: object,
  prefix: string,
): void {
  for (const [name, value] of Object.entries(properties)) {
    const allowed = subset[name];
    if (allowed === undefined) throw new UnsupportedStyleError(prefix + name);
    if (allowed !== 'any' && !allowed.some((one) => isDeepStrictEqual(one, value))) {
      const values = allowed.map((one) => JSON.stringify(one)).join(' or ');
      throw new UnsupportedStyleError(prefix + name, `is supported only as ${values}`);
    }
  }
}

function refuseOperators(value: unknown, property: string): void {
  if (!Array.isArray(value)) return;
  const [operator] = value;
  if (operator === 'literal') return;
  if (typeof operator === 'string' && REFUSED_OPERATORS.has(operator)) {
    throw new UnsupportedStyleError(
      property,
      `uses the expression "${operator}", which the canvas engine does not support. Remove it.`,
    );
  }
  for (const argument of value) refuseOperators(argument, property);
}
