/** Saying no to a style: what is not valid, and what lies beyond the subset that is drawn. */
import {
  validateStyleMin,
  type LayerSpecification,
  type StyleSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import { InvalidSceneError, UnsupportedStyleError } from '../errors.ts';
import {
  LAYER_KEYS,
  LAYER_SUBSETS,
  REFUSED_OPERATORS,
  SOURCE_KEYS,
  STYLE_KEYS,
  type LayerSubset,
} from './subset.ts';

/** @throws InvalidSceneError, UnsupportedStyleError */
export function refuseUndrawable(style: StyleSpecification): void {
  refuseInvalid(style);
  refuseUnknownKeys(style, STYLE_KEYS, '');
  for (const [id, source] of Object.entries(style.sources)) {
    if (source.type !== 'geojson') throw new UnsupportedStyleError(`sources.${id}.type`);
    refuseUnknownKeys(source, SOURCE_KEYS, `sources.${id}.`);
  }
  for (const [index, layer] of style.layers.entries()) refuseLayer(layer, `layers[${index}]`);
}

function refuseLayer(layer: LayerSpecification, path: string): void {
  const subset = LAYER_SUBSETS[layer.type];
  if (subset === undefined) throw new UnsupportedStyleError(`${path}.type`);
  refuseUnknownKeys(layer, LAYER_KEYS, `${path}.`);
  if ('filter' in layer) refuseOperators(layer.filter, `${path}.filter`);
  refuseProperties(layer, 'layout', subset, path);
  refuseProperties(layer, 'paint', subset, path);
}

function refuseInvalid(style: StyleSpecification): void {
  const errors = validateStyleMin(style).filter((problem) => problem.severity !== 'warning');
  if (errors.length > 0) throw new InvalidSceneError(errors.map((error) => error.message));
}

function refuseUnknownKeys(object: object, known: ReadonlySet<string>, prefix: string): void {
  for (const key of Object.keys(object)) {
    if (!known.has(key)) throw new UnsupportedStyleError(prefix + key);
  }
}

function refuseProperties(
  layer: LayerSpecification,
  group: 'layout' | 'paint',
  subset: LayerSubset,
  path: string,
): void {
  for (const [name, value] of Object.entries(layer[group] ?? {})) {
    const place = `${path}.${group}.${name}`;
    const allowed = subset[group][name];
    if (allowed === undefined) throw new UnsupportedStyleError(place);
    if (allowed !== 'any' && !allowed.includes(value)) {
      throw new UnsupportedStyleError(place, `is drawn only as ${allowed.join(' or ')}`);
    }
    refuseOperators(value, place);
  }
}

function refuseOperators(value: unknown, place: string): void {
  if (!Array.isArray(value)) return;
  const [operator] = value;
  if (operator === 'literal') return;
  if (typeof operator === 'string' && REFUSED_OPERATORS.has(operator)) {
    throw new UnsupportedStyleError(place, `uses the expression "${operator}", which is not drawn`);
  }
  for (const argument of value) refuseOperators(argument, place);
}
