/** Properties that a cluster computes from its points, as `clusterProperties` of a source declares. */
import type { StyleExpression } from '@maplibre/maplibre-gl-style-spec';
import type { ClusterOptions } from '@maplibre/geojson-vt';
import { createExpression } from '../../style-spec.ts';

type Properties = Record<string, unknown>;

/**
 * Returns the functions that initialize a cluster's properties from a point and add those of the next
 * point.
 */
export function clusterReducer(
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
