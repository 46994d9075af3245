/** The light on extrusions, with the arithmetic of MapLibre's shader (fill_extrusion.vertex.glsl). */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { toRadians } from '../../../base/spatial/perspective.ts';
import type { Point3 } from '../../../base/spatial/view.ts';
import type { LightSource } from '../layers/painter.ts';
import type { Shade } from '../raster/faces.ts';
import type { LightProperties } from '../style/compiled-style.ts';

export function lightSource(
  { anchor, position, color, intensity }: LightProperties,
  bearing: number,
): LightSource {
  const [distance, azimuthal, polar] = position;
  const azimuth = toRadians(azimuthal + 90 + (anchor === 'viewport' ? bearing : 0));
  const fromAbove = toRadians(polar);
  const direction: Point3 = [
    distance * Math.cos(azimuth) * Math.sin(fromAbove),
    distance * Math.sin(azimuth) * Math.sin(fromAbove),
    distance * Math.cos(fromAbove),
  ];
  return { direction, color, intensity };
}

/** Light that reaches every surface */
const AMBIENT = 0.03;

/**
 * Returns the color of a surface.
 *
 * @param normal unit vector
 * @param gradient factor for the height on a wall, 1 without
 */
export function shadeOf(light: LightSource, color: Color, normal: Point3, gradient: number): Shade {
  const luminance = 0.2126 * color.r + 0.7152 * color.g + 0.0722 * color.b;
  const directional = directionalLight(light, 1 - luminance, normal) * gradient;
  const channel = (surface: number, lit: number) =>
    clamp((surface + AMBIENT) * directional * lit, 0.3 * (1 - lit), 1);
  return [
    channel(color.r, light.color.r),
    channel(color.g, light.color.g),
    channel(color.b, light.color.b),
  ];
}

/** Returns the factors of a pattern's colors. The parameters are as in `shadeOf`. */
export function patternShadeOf(light: LightSource, normal: Point3, gradient: number): Shade {
  const directional = directionalLight(light, 0.5, normal) * gradient;
  const channel = (lit: number) => clamp(directional * lit, 0.3 * (1 - lit), 1);
  return [channel(light.color.r), channel(light.color.g), channel(light.color.b)];
}

/** @param darkness 0..1. Light varies less on bright surfaces, and less in weak light. */
function directionalLight(
  { direction, intensity }: LightSource,
  darkness: number,
  normal: Point3,
): number {
  const cosine = normal[0] * direction[0] + normal[1] * direction[1] + normal[2] * direction[2];
  const [darkest, brightest] = [1 - intensity, Math.max(darkness + intensity, 1)];
  return darkest + (brightest - darkest) * clamp(cosine, 0, 1);
}

/**
 * The gradient on walls: darker toward the ground, and less so on high buildings.
 *
 * @param isTop whether to return it for the upper edge instead of the lower one
 * @param base, height in meters
 */
export function wallGradient(
  { intensity }: LightSource,
  isTop: boolean,
  base: number,
  height: number,
): number {
  const darkest = 0.7 + (0.98 - 0.7) * (1 - intensity);
  return clamp(((isTop ? 1 : 0) + base) * Math.sqrt(height / 150), darkest, 1);
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}
