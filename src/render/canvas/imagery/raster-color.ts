/** The color adjustments of raster layers: hue, saturation, contrast, brightness. */
import type { Ink } from '../raster/ink.ts';

interface ColorAdjustment {
  /** Degrees */
  hueRotate: number;
  /** -1 to 1 */
  saturation: number;
  /** -1 to 1 */
  contrast: number;
  /** Output value of black, 0 to 1 */
  brightnessMin: number;
  /** Output value of white, 0 to 1 */
  brightnessMax: number;
}

/**
 * Adjusts the colors of an ink; returns the ink itself if nothing changes.
 *
 * @param opacity 0 to 1. The caller applies it later, and colors brighter than white are cut off only then.
 */
export function adjustInk(ink: Ink, adjustment: ColorAdjustment, opacity: number): Ink {
  const { hueRotate, saturation, contrast, brightnessMin, brightnessMax } = adjustment;
  const isPlain = hueRotate === 0 && saturation === 0 && contrast === 0;
  if (isPlain && brightnessMin === 0 && brightnessMax === 1) return ink;
  return new AdjustedInk(ink, adjustment, 255 / opacity);
}

/** Share of grays that a contrast of 1 leaves. With none, the weights would be infinite. */
const LEAST_GRAYS = 1e-6;

/**
 * All adjustments are linear, so each channel becomes a weighted sum of itself, the next channel (red,
 * green, blue, red), the one after it, and alpha. Premultiplied colors stay premultiplied.
 */
class AdjustedInk implements Ink {
  private readonly ink: Ink;
  private readonly own: number;
  private readonly next: number;
  private readonly last: number;
  private readonly shift: number;
  private readonly brightest: number;

  constructor(ink: Ink, adjustment: ColorAdjustment, brightest: number) {
    const { hueRotate, saturation, contrast, brightnessMin, brightnessMax } = adjustment;
    this.ink = ink;
    this.brightest = brightest;
    const grayShare = saturation > 0 ? 1 - 1 / (1.001 - saturation) : -saturation;
    const contrastFactor = contrast > 0 ? 1 / Math.max(1 - contrast, LEAST_GRAYS) : 1 + contrast;
    const range = brightnessMax - brightnessMin;
    // Rotation about the gray axis of the color cube
    const cosine = Math.cos((hueRotate * Math.PI) / 180);
    const sine = Math.sqrt(3) * Math.sin((hueRotate * Math.PI) / 180);
    const weight = (spin: number) =>
      contrastFactor * range * (spin * (1 - grayShare) + grayShare / 3);
    this.own = weight((2 * cosine + 1) / 3);
    this.next = weight((1 - sine - cosine) / 3);
    this.last = weight((1 + sine - cosine) / 3);
    this.shift = brightnessMin + range * (0.5 - contrastFactor / 2);
  }

  row(x: number, y: number, count: number, out: Float32Array): void {
    this.ink.row(x, y, count, out);
    const { own, next, last, shift, brightest } = this;
    for (let i = 0; i < 4 * count; i += 4) {
      const red = out[i]!;
      const green = out[i + 1]!;
      const blue = out[i + 2]!;
      const base = 255 * shift * out[i + 3]!;
      out[i] = limit(own * red + next * green + last * blue + base, brightest);
      out[i + 1] = limit(own * green + next * blue + last * red + base, brightest);
      out[i + 2] = limit(own * blue + next * red + last * green + base, brightest);
    }
  }
}

function limit(value: number, max: number): number {
  return value < 0 ? 0 : value > max ? max : value;
}
