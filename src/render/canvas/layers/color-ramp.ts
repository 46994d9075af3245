/** Colors by a number from 0 to 1, in steps as in MapLibre's textures. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';

export const RAMP_STEPS = 256;

/** Premultiplied: 0..255 for red, green, and blue, and 0..1 for alpha, as in a `Tint` */
export class ColorRamp {
  private readonly colors: Float32Array;
  private readonly steps: number;
  private readonly isSmooth: boolean;

  /**
   * @param colorAt returns the color at a number from 0 to 1
   * @param isSmooth whether colors between two steps are mixed
   */
  constructor(colorAt: (part: number) => Color, steps = RAMP_STEPS, isSmooth = true) {
    this.colors = new Float32Array(4 * steps);
    this.steps = steps;
    this.isSmooth = isSmooth;
    for (let i = 0; i < steps; i++) {
      const { r, g, b, a } = colorAt(i / (steps - 1));
      const alpha = Math.round(a * 255) / 255;
      // MapLibre stores plain colors in bytes and multiplies these.
      const channel = (value: number) => (a === 0 ? 0 : Math.round((value / a) * 255));
      const premultiply = (value: number) => Math.round(channel(value) * alpha);
      this.colors.set([premultiply(r), premultiply(g), premultiply(b), alpha], 4 * i);
    }
  }

  /** Writes the color at a number into `out` at an index. */
  write(part: number, out: Float32Array, index: number): void {
    const { colors, steps, isSmooth } = this;
    const step = Math.max(0, Math.min(steps - 1, part * steps - (isSmooth ? 0.5 : 0)));
    const from = 4 * Math.floor(step);
    const to = Math.min(from + 4, 4 * (steps - 1));
    const share = isSmooth ? step - Math.floor(step) : 0;
    for (let i = 0; i < 4; i++) {
      out[index + i] = colors[from + i]! + (colors[to + i]! - colors[from + i]!) * share;
    }
  }
}
