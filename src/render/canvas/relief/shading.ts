/**
 * Colors of slopes under a light: MapLibre's five methods. All but the standard one follow GDAL's
 * `gdaldem hillshade` (https://gdal.org/programs/gdaldem.html), with highlights added.
 */
import type { Color } from '@maplibre/maplibre-gl-style-spec';

type ShadingMethod = 'standard' | 'basic' | 'combined' | 'igor' | 'multidirectional';

interface Light {
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
  /** At least one. Only the multidirectional method uses more than the first. */
  lights: readonly Light[];
}

/**
 * Adds the premultiplied color of a slope to `out[at]` and following, as in an `Ink`, but not limited.
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
      return combineLights(shading);
    case 'igor':
      return igor(shading);
  }
}

/** Returns a function that adds a color, weighted, to `out[at]` and following. */
function adder({ r, g, b, a }: Color): (out: Float32Array, at: number, weight: number) => void {
  const [red, green, blue] = [255 * r, 255 * g, 255 * b];
  return (out, at, weight) => {
    out[at] = out[at]! + red * weight;
    out[at + 1] = out[at + 1]! + green * weight;
    out[at + 2] = out[at + 2]! + blue * weight;
    out[at + 3] = out[at + 3]! + a * weight;
  };
}

const CURVE_STEPS = 1024;

/** Tabulates a smooth function of a steepness (0 to infinity); off by less than 0.00001. */
function curve(f: (steepness: number) => number): (steepness: number) => number {
  // At even steps of s / (1 + s). The last is for infinity.
  const values = Float64Array.from({ length: CURVE_STEPS + 2 }, (_, i) =>
    f(i < CURVE_STEPS ? i / (CURVE_STEPS - i) : Number.MAX_VALUE),
  );
  return (steepness) => {
    const step = (CURVE_STEPS * steepness) / (1 + steepness);
    const i = Math.floor(step);
    return values[i]! + (values[i + 1]! - values[i]!) * (step - i);
  };
}

/** How far a slope faces the light: 1 toward it, 0 away from it */
function facing(east: number, south: number, azimuth: number): number {
  // Direction in which the ground falls
  const aspect = east === 0 ? (Math.PI / 2) * (south > 0 ? 1 : -1) : Math.atan2(south, -east);
  const turns = (aspect + azimuth) / (2 * Math.PI) + 0.75;
  return Math.abs(2 * (turns - Math.floor(turns)) - 1);
}

/** MapLibre makes slopes gentler than the ground by this factor. */
const STANDARD_SLOPE_FACTOR = 0.625;

function standard({ exaggeration, accent, lights }: Shading): Shade {
  const { azimuth, shadow, highlight } = lights[0]!;
  // Exponential interpolation of the slope, as in the style specification's `interpolate`
  const base = 1.875 - exaggeration * 1.75;
  const vertical = Math.PI / 2;
  const angle = (steepness: number) => {
    const slope = Math.atan(STANDARD_SLOPE_FACTOR * steepness);
    if (exaggeration === 0.5) return slope;
    return ((base ** slope - 1) / (base ** vertical - 1)) * vertical;
  };
  const strength = Math.max(0, Math.min(1, 2 * exaggeration));
  const lightShare = curve((steepness) => Math.sin(angle(steepness)) * strength);
  const accentShare = curve((steepness) => (1 - Math.cos(angle(steepness))) * strength);
  const [addAccent, addShadow, addHighlight] = [adder(accent), adder(shadow), adder(highlight)];
  return (east, south, out, at) => {
    const steepness = Math.sqrt(east * east + south * south);
    const bright = facing(east, south, azimuth);
    const share = lightShare(steepness);
    addShadow(out, at, (1 - bright) * share);
    addHighlight(out, at, bright * share);
    addAccent(out, at, accentShare(steepness) * (1 - out[at + 3]!));
  };
}

/** Returns a function of the cosine of the angle between the ground's normal and the light. */
function lightAngle({ azimuth, altitude }: Light): (east: number, south: number) => number {
  const up = Math.sin(altitude);
  const toEast = Math.sin(azimuth) * Math.cos(altitude);
  const toSouth = Math.cos(azimuth) * Math.cos(altitude);
  return (east, south) =>
    (up + south * toSouth - east * toEast) / Math.sqrt(1 + east * east + south * south);
}

function lit({ exaggeration }: Shading, lights: readonly Light[]): Shade {
  const sources = lights.map((light) => ({
    angle: lightAngle(light),
    addShadow: adder(light.shadow),
    addHighlight: adder(light.highlight),
  }));
  const weight = 1 / lights.length;
  return (east, south, out, at) => {
    const x = 2 * exaggeration * east;
    const y = 2 * exaggeration * south;
    for (const { angle, addShadow, addHighlight } of sources) {
      const shade = Math.max(0, Math.min(1, angle(x, y)));
      if (shade > 0.5) addHighlight(out, at, (2 * shade - 1) * weight);
      else addShadow(out, at, (1 - 2 * shade) * weight);
    }
  };
}

function combineLights({ exaggeration, lights }: Shading): Shade {
  const [light] = lights as [Light];
  const angle = lightAngle(light);
  const quarter = Math.PI / 2;
  const weight = curve((steepness) => Math.atan(steepness) / quarter ** 2);
  const [addShadow, addHighlight] = [adder(light.shadow), adder(light.highlight)];
  return (east, south, out, at) => {
    const x = 2 * exaggeration * east;
    const y = 2 * exaggeration * south;
    const away = Math.acos(Math.max(0, Math.min(1, angle(x, y))));
    const share = weight(Math.sqrt(x * x + y * y));
    addShadow(out, at, away * share);
    addHighlight(out, at, (quarter - away) * share);
  };
}

function igor({ exaggeration, lights }: Shading): Shade {
  const { azimuth, shadow, highlight } = lights[0]!;
  const weight = curve((steepness) => (Math.atan(steepness) * 2) / Math.PI);
  const [addShadow, addHighlight] = [adder(shadow), adder(highlight)];
  return (east, south, out, at) => {
    const x = 2 * exaggeration * east;
    const y = 2 * exaggeration * south;
    const bright = facing(x, y, azimuth);
    const share = weight(Math.sqrt(x * x + y * y));
    addShadow(out, at, share * (1 - bright));
    addHighlight(out, at, share * bright);
  };
}
