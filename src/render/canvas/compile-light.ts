/** Compiles the light of a style. */
import type {
  StylePropertyExpression,
  StylePropertySpecification,
  StyleSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import { latest, normalizePropertyExpression } from '../style-spec.ts';
import type { LightProperties } from './light.ts';

/** Returns the light at a zoom. */
export type CompiledLight = (zoom: number) => LightProperties;

export function compileLight(
  { light = {} }: StyleSpecification,
  state: Record<string, unknown>,
): CompiledLight {
  const reference = latest.light as Record<
    string,
    StylePropertySpecification & { default: unknown }
  >;
  const compile = (name: keyof LightProperties): StylePropertyExpression =>
    normalizePropertyExpression(
      (light[name] ?? reference[name]!.default) as string,
      `light.${name}`,
      reference[name]!,
      state,
    );
  const [anchor, position, color, intensity] = (
    ['anchor', 'position', 'color', 'intensity'] as const
  ).map(compile);
  return (zoom) => ({
    anchor: anchor!.evaluate({ zoom }) as LightProperties['anchor'],
    position: position!.evaluate({ zoom }) as LightProperties['position'],
    color: color!.evaluate({ zoom }) as LightProperties['color'],
    intensity: intensity!.evaluate({ zoom }) as number,
  });
}
