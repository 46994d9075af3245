/** The colors of shapes: flat, or different from pixel to pixel. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';

/** A color premultiplied by its alpha, ready for blending. */
export interface Tint {
  /** 0..255 */
  r: number;
  g: number;
  b: number;
  /** 0..1 */
  alpha: number;
  /** RGBA bytes as one number, red in the lowest byte, to write an opaque pixel at once */
  word: number;
  /** Whether `word` has exactly this color, opaque */
  isExact: boolean;
}

/** MapLibre draws nothing with less opacity than this. */
export const MIN_OPACITY = 0.01;

/** Applies an opacity (0..1) to a style color. */
export function tintOf(color: Color, opacity: number): Tint {
  const scale = 255 * opacity;
  // The style specification's colors are premultiplied.
  return tint(color.r * scale, color.g * scale, color.b * scale, color.a * opacity);
}

/** Colors this close to whole numbers are whole. */
const ROUNDING = 1e-6;

const oneBytes = new Uint8ClampedArray(4);
const oneWord = new Int32Array(oneBytes.buffer);

function tint(r: number, g: number, b: number, alpha: number): Tint {
  oneBytes[0] = r;
  oneBytes[1] = g;
  oneBytes[2] = b;
  oneBytes[3] = 255 * alpha;
  const isExact =
    alpha === 1 &&
    Math.abs(oneBytes[0]! - r) < ROUNDING &&
    Math.abs(oneBytes[1]! - g) < ROUNDING &&
    Math.abs(oneBytes[2]! - b) < ROUNDING;
  return { r, g, b, alpha, word: oneWord[0]!, isExact };
}

export function mixTints(from: Tint, to: Tint, part: number): Tint {
  const mix = (a: number, b: number) => a + (b - a) * part;
  return tint(mix(from.r, to.r), mix(from.g, to.g), mix(from.b, to.b), mix(from.alpha, to.alpha));
}

/** Patterns, pictures, and gradients */
export interface Ink {
  /**
   * Writes the colors of `count` pixels of a row, from (x, y) to the right: four numbers each,
   * premultiplied, 0..255 for red, green, and blue, and 0..1 for alpha, as in a `Tint`.
   */
  row(x: number, y: number, count: number, out: Float32Array): void;
}
