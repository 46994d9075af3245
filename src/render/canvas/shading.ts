/**
 * Colors of slopes under a light: MapLibre's five methods. All but the standard one follow GDAL's
 * `gdaldem hillshade` (https://gdal.org/programs/gdaldem.html), with highlights added.
 */
import type { Color } from '@maplibre/maplibre-gl-style-spec';

export type ShadingMethod = 'standard' | 'basic' | 'combined' | 'igor' | 'multidirectional';

export interface Light {
  /** Where the light comes from, in radians clockwise from the top of the picture */
  azimuth: number;
  /** Radians above the horizon */
  altitude: number;
  shadow: Color;
  highlight: Color;
}

export interface Shading {
  method: ShadingMethod;
  exaggeration: number;
  accent: Color;
  /** At least one. Only the multidirectional method uses others than the first. */
  lights: readonly Light[];
}

/**
 * Writes the premultiplied color of a slope, as in an `Ink` but not limited, to `out[at]` and following.
 *
 * @param east rise over run toward the right; `south` toward the bottom
 */
export type Shade = (east: number, south: number, out: Float32Array, at: number) => void;

export function shadeOf(shading: Shading): Shade {
  switch (shading.method) {
    case 'standard':
      return standard(shading);
    case 'basic':
      return lit(shading, shading.lights.slice(0, 1));
    case 'multidirectional':
      return lit(shading, shading.lights);
    case 'combined':
      return combined(shading);
    case 'igor':
      return igor(shading);
  }
}

/** Adds a color, weighted, to `out[at]` and following. */
function add(out: Float32Array, at: number, color: Color, weight: number): void {
  const scale = 255 * weight;
  out[at] = out[at]! + color.r * scale;
  out[at + 1] = out[at + 1]! + color.g * scale;
  out[at + 2] = out[at + 2]! + color.b * scale;
  out[at + 3] = out[at + 3]! + color.a * weight;
}

/** Direction in which the ground falls, in radians */
function aspectOf(east: number, south: number): number {
  if (east !== 0) return Math.atan2(south, -east);
  return (Math.PI / 2) * (south > 0 ? 1 : -1);
}

/** How far a slope faces the light: 1 toward it, 0 away from it */
function facing(aspect: number, azimuth: number): number {
  const turns = (aspect + azimuth + Math.PI) / Math.PI + 0.5;
  return Math.abs(turns - 2 * Math.floor(turns / 2) - 1);
}

/** Steeper slopes have more contrast than gentle ones, by a factor that MapLibre chose. */
const STANDARD_SLOPE_FACTOR = 0.625;

function standard({ exaggeration, accent, lights }: Shading): Shade {
  const { azimuth, shadow, highlight } = lights[0]!;
  // Exponential interpolation of the slope, as in the style specification's `interpolate`
  const base = 1.875 - exaggeration * 1.75;
  const steepest = Math.PI / 2;
  const scale = steepest / (base ** steepest - 1);
  const strength = Math.max(0, Math.min(1, 2 * exaggeration));
  return (east, south, out, at) => {
    const slope = Math.atan(STANDARD_SLOPE_FACTOR * Math.sqrt(east * east + south * south));
    const scaled = exaggeration === 0.5 ? slope : (base ** slope - 1) * scale;
    const bright = facing(aspectOf(east, south), azimuth);
    const shadeShare = Math.sin(scaled) * strength;
    const alpha = (shadow.a + (highlight.a - shadow.a) * bright) * shadeShare;
    out.fill(0, at, at + 4);
    add(out, at, accent, (1 - Math.cos(scaled)) * strength * (1 - alpha));
    add(out, at, shadow, (1 - bright) * shadeShare);
    add(out, at, highlight, bright * shadeShare);
  };
}

/** Cosine of the angle between the ground's normal and the light */
function lightAngle(east: number, south: number, { azimuth, altitude }: Light): number {
  const level = Math.cos(altitude);
  const dot = Math.sin(altitude) + (south * Math.cos(azimuth) - east * Math.sin(azimuth)) * level;
  return dot / Math.sqrt(1 + east * east + south * south);
}

function lit({ exaggeration }: Shading, lights: readonly Light[]): Shade {
  const weight = 1 / lights.length;
  return (east, south, out, at) => {
    out.fill(0, at, at + 4);
    for (const light of lights) {
      const angle = lightAngle(2 * exaggeration * east, 2 * exaggeration * south, light);
      const shade = Math.max(0, Math.min(1, angle));
      if (shade > 0.5) add(out, at, light.highlight, (2 * shade - 1) * weight);
      else add(out, at, light.shadow, (1 - 2 * shade) * weight);
    }
  };
}

function combined({ exaggeration, lights }: Shading): Shade {
  const light = lights[0]!;
  const quarter = Math.PI / 2;
  return (east, south, out, at) => {
    const x = 2 * exaggeration * east;
    const y = 2 * exaggeration * south;
    const angle = Math.acos(Math.max(0, Math.min(1, lightAngle(x, y, light))));
    const steepness = Math.atan(Math.sqrt(x * x + y * y)) / quarter ** 2;
    out.fill(0, at, at + 4);
    add(out, at, light.shadow, angle * steepness);
    add(out, at, light.highlight, (quarter - angle) * steepness);
  };
}

function igor({ exaggeration, lights }: Shading): Shade {
  const { azimuth, shadow, highlight } = lights[0]!;
  return (east, south, out, at) => {
    const x = 2 * exaggeration * east;
    const y = 2 * exaggeration * south;
    const steepness = (Math.atan(Math.sqrt(x * x + y * y)) * 2) / Math.PI;
    const bright = facing(aspectOf(x, y), azimuth);
    out.fill(0, at, at + 4);
    add(out, at, shadow, steepness * (1 - bright));
    add(out, at, highlight, steepness * bright);
  };
}
