/** Compiles the light and the sky of a style. */
import type {
  StylePropertyExpression,
  StylePropertySpecification,
} from '@maplibre/maplibre-gl-style-spec';
import { latest, normalizePropertyExpression } from '../../style-spec.ts';

/** Returns all properties at a zoom, defaults included. */
export type CompiledRoot<T> = (zoom: number) => T;

export function compileRoot<T>(
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
