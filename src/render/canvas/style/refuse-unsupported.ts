/** Refuses styles that use anything outside the subset that the engine draws. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { isDeepStrictEqual } from 'node:util';
import { UnsupportedStyleError, type Unsupported } from '../../errors.ts';
import { operatorsIn, SHAPE_OPERATORS } from '../../expression-operators.ts';
import { LAYER_KEYS, LAYER_SUBSETS, SOURCE_SUBSETS, STYLE_SUBSET, type Subset } from './subset.ts';

/** A layer with its path in the document, such as `layers[3]` */
export interface LayerAtPath {
  layer: LayerSpecification;
  path: string;
}

/**
 * Checks the visible layers and the sources that they use.
 *
 * @throws UnsupportedStyleError naming every unsupported property
 */
export function refuseUnsupported(
  style: StyleSpecification,
  visible: readonly LayerAtPath[],
): void {
  const used = new Set(visible.flatMap(({ layer }) => ('source' in layer ? layer.source : [])));
  const unsupported = [
    ...propertiesOutside(STYLE_SUBSET, style, ''),
    ...visible.flatMap(({ layer, path }) => [...unsupportedInLayer(layer, path)]),
    ...[...used].flatMap((id) => [...unsupportedInSource(id, style.sources[id]!)]),
  ];
  if (unsupported.length > 0) throw new UnsupportedStyleError(unsupported);
}

const NOT_DRAWN = 'is not drawn by the canvas engine. Remove it.';

function* unsupportedInSource(
  id: string,
  source: StyleSpecification['sources'][string],
): Generator<Unsupported> {
  const path = `sources.${id}.`;
  const subset = SOURCE_SUBSETS[source.type];
  if (subset === undefined) return yield { property: `${path}type`, reason: NOT_DRAWN };
  yield* propertiesOutside(subset, source, path);
  if (source.type === 'geojson') yield* unsupportedInFilter(source.filter, `${path}filter`);
}

function* unsupportedInLayer(layer: LayerSpecification, path: string): Generator<Unsupported> {
  const subset = LAYER_SUBSETS[layer.type];
  if (subset === undefined) return yield { property: `${path}.type`, reason: NOT_DRAWN };
  for (const key of Object.keys(layer)) {
    if (!LAYER_KEYS.has(key)) yield { property: `${path}.${key}`, reason: NOT_DRAWN };
  }
  for (const group of ['layout', 'paint'] as const) {
    const properties = Object.entries(layer[group] ?? {}).filter(([name]) => !isTransition(name));
    yield* propertiesOutside(subset[group], Object.fromEntries(properties), `${path}.${group}.`);
  }
}

/** Transitions animate style changes, and a still picture has none. */
const isTransition = (name: string) => name.endsWith('-transition');

function* propertiesOutside(
  subset: Subset,
  properties: object,
  prefix: string,
): Generator<Unsupported> {
  for (const [name, value] of Object.entries(properties)) {
    const allowed = Object.hasOwn(subset, name) ? subset[name] : undefined;
    const property = prefix + name;
    if (allowed === undefined) yield { property, reason: NOT_DRAWN };
    else if (allowed !== 'any' && !allowed.some((one) => isDeepStrictEqual(one, value))) {
      const values = allowed.map((one) => JSON.stringify(one)).join(' or ');
      yield { property, reason: `is supported only as ${values}` };
    }
  }
}

/** MapLibre filters a source before it has tiles. At that point, `within` and `distance` find no shapes. */
function* unsupportedInFilter(filter: unknown, property: string): Generator<Unsupported> {
  for (const operator of operatorsIn(filter)) {
    if (!SHAPE_OPERATORS.has(operator)) continue;
    const reason = `uses the expression "${operator}", which finds nothing there. Move it to the filter of a layer.`;
    yield { property, reason };
  }
}
