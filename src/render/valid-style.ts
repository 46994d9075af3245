/** Checks a style document against the MapLibre specification. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { InvalidSceneError } from './errors.ts';
import { validateStyleMin } from './style-spec.ts';

/** Maximum nesting of objects and lists. The validator and the expressions' parser are recursive. */
const MAX_DEPTH = 256;

/** @throws InvalidSceneError with every problem that the specification's validator finds */
export function refuseInvalid(style: StyleSpecification): void {
  refuseNull(style);
  refuseDeep(style);
  const errors = validateStyleMin(style).filter((problem) => problem.severity !== 'warning');
  const problems =
    errors.length > 0 ? errors.map((error) => error.message) : inheritedSources(style);
  if (problems.length > 0) throw new InvalidSceneError(problems);
}

/**
 * Finds sources such as `constructor`, which every object inherits. The validator considers them declared.
 */
function inheritedSources({ layers, sources }: StyleSpecification): string[] {
  return layers.flatMap((layer, index) => {
    const isInherited =
      'source' in layer && layer.source in sources && !Object.hasOwn(sources, layer.source);
    return isInherited ? [`layers[${index}]: source "${layer.source}" not found`] : [];
  });
}

/** Refuses null where the validator would read its properties. */
function refuseNull(style: StyleSpecification | null): void {
  if (style === null) throw new InvalidSceneError(['the style is null: object expected']);
  const problems = Object.entries(style.sources ?? {}).flatMap(([id, source]) => {
    if (source === null) return [`sources.${id}: object expected, null found`];
    if (source.type !== 'geojson') return [];
    const { data } = source as { data: unknown };
    return data === null ? [`sources.${id}.data: GeoJSON or an address expected, null found`] : [];
  });
  if (problems.length > 0) throw new InvalidSceneError(problems);
}

function refuseDeep(style: StyleSpecification): void {
  let level: unknown[] = [style];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      throw new InvalidSceneError([
        `the style is nested more than ${MAX_DEPTH} levels deep: simplify its expressions`,
      ]);
    }
    level = level.flatMap((value) =>
      value instanceof Object
        ? Object.values(value).filter((inner) => inner instanceof Object)
        : [],
    );
  }
}
