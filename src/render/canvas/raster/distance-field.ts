/** Coverage of shapes that are stored as signed distance fields: glyphs and icons. */
import { LRUCache } from 'lru-cache';
import { smoothStep } from './smooth-step.ts';

// The constants of MapLibre's shader `symbol_sdf`: a field spans 8 pixels, 6 of them outside.
const FIELD_PX = 8;
const FIELD_EDGE = 6 / FIELD_PX;
const EDGE_FADE = 0.105;
const BLUR_SPREAD = 1.19;

/** Table entries per distance step of 1/255: finer than a picture's colors */
export const RAMP_STEPS = 16;

const ramps = new LRUCache<string, Float32Array>({ max: 256 });

/** Table of coverage by distance: 0 outside `edge`, 1 inside it, and 0 again inside `inner`. */
function ramp(edge: number, fade: number, inner = Infinity): Float32Array {
  const key = `${edge},${fade},${inner}`;
  let coverage = ramps.get(key);
  if (coverage === undefined) {
    const step = (distance: number, at: number) => smoothStep((distance - at + fade) / (2 * fade));
    coverage = Float32Array.from({ length: 255 * RAMP_STEPS + 1 }, (_, i) => {
      const distance = i / (255 * RAMP_STEPS);
      return Math.min(step(distance, edge), inner === Infinity ? 1 : 1 - step(distance, inner));
    });
    ramps.set(key, coverage);
  }
  return coverage;
}

/**
 * Coverage of the shape itself.
 *
 * @param scale CSS pixels per pixel of the field
 * @param softness width of its edge, relative to a level view
 */
export function shapeRamp(scale: number, pixelRatio: number, softness = 1): Float32Array {
  return ramp(FIELD_EDGE, (EDGE_FADE / pixelRatio / scale) * roundSoftness(softness));
}

/** Rounds to a few values, because each needs a table. */
function roundSoftness(softness: number): number {
  return softness === 1 ? 1 : Math.round(softness * 64) / 64;
}

/** Coverage of the halo around a shape. */
export function haloRamp(
  scale: number,
  { widthPx, blurPx, isFilled = false }: { widthPx: number; blurPx: number; isFilled?: boolean },
  pixelRatio: number,
  softness = 1,
): Float32Array {
  const edge = FIELD_EDGE - widthPx / scale / FIELD_PX;
  const sharpFade = ((blurPx * BLUR_SPREAD) / FIELD_PX + EDGE_FADE / pixelRatio) / scale;
  const fade = sharpFade * roundSoftness(softness);
  return ramp(edge, fade, isFilled ? Infinity : FIELD_EDGE + fade);
}
