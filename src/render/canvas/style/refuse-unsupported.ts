/** Refuses styles that use anything outside the subset that the engine draws. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { isDeepStrictEqual } from 'node:util';
import { UnsupportedStyleError, type Unsupported } from '../../errors.ts';
import { operatorsIn, SHAPE_OPERATORS } from '../../expression-operators.ts';
import { latest } from '../../style-spec.ts';
import {
  FOREIGN_MEMBERS,
  LAYER_MEMBERS,
  LAYER_SUBSETS,
  SOURCE_SUBSETS,
  STYLE_SUBSET,
  type Subset,
} from './subset.ts';

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
    ...propertiesOutside(
      STYLE_SUBSET,
      picturedMembers(style, latest.$root, FOREIGN_MEMBERS.style),
      '',
    ),
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
  const specification = latest[`source_${source.type.replace('-', '_')}` as 'source_vector'];
  yield* propertiesOutside(subset, picturedMembers(source, specification), path);
  if (source.type === 'geojson') yield* unsupportedInFilter(source.filter, `${path}filter`);
}

function* unsupportedInLayer(layer: LayerSpecification, path: string): Generator<Unsupported> {
  const members = picturedMembers(layer, latest.layer, FOREIGN_MEMBERS.layer);
  yield* propertiesOutside(LAYER_MEMBERS, members, `${path}.`);
  if (layer.type === undefined) return; // It has a `ref`.
  const subset = LAYER_SUBSETS[layer.type];
  if (subset === undefined) return yield { property: `${path}.type`, reason: NOT_DRAWN };
  for (const group of ['layout', 'paint'] as const) {
    const properties = Object.entries(layer[group] ?? {}).filter(([name]) => !isTransition(name));
    yield* propertiesOutside(subset[group], Object.fromEntries(properties), `${path}.${group}.`);
  }
}

/** Transitions animate style changes, and a still picture has none. */
const isTransition = (name: string) => name.endsWith('-transition');

/** The members that may change a picture: those of the specification, and known ones of others. */
function picturedMembers(
  members: object,
  specification: object,
  foreign: ReadonlySet<string> = new Set(),
): object {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([name]) => Object.hasOwn(specification, name) || foreign.has(name),
    ),
  );
}

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
