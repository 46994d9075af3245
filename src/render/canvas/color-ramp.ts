/** Colors by a number from 0 to 1, in 256 steps as in MapLibre's textures. */
import type { Color, StylePropertyExpression } from '@maplibre/maplibre-gl-style-spec';

const STEPS = 256;

/** Premultiplied: 0..255 for red, green, and blue, and 0..1 for alpha, as in a `Tint` */
export class ColorRamp {
  private readonly colors = new Float32Array(4 * STEPS);

  /** @param colorAt returns the color at a number from 0 to 1 */
  constructor(colorAt: (part: number) => Color) {
    for (let i = 0; i < STEPS; i++) {
      const { r, g, b, a } = colorAt(i / (STEPS - 1));
      const alpha = Math.round(a * 255) / 255;
      // MapLibre stores plain colors in bytes and multiplies these.
      const channel = (value: number) => (a === 0 ? 0 : Math.round((value / a) * 255));
      const premultiply = (value: number) => Math.round(channel(value) * alpha);
      this.colors.set([premultiply(r), premultiply(g), premultiply(b), alpha], 4 * i);
    }
  }

  /** Writes the color at a number, interpolated between two steps, into `out` at an index. */
  write(part: number, out: Float32Array, index: number): void {
    const { colors } = this;
    const step = Math.max(0, Math.min(STEPS - 1, part * STEPS - 0.5));
    const from = 4 * Math.floor(step);
    const to = Math.min(from + 4, 4 * (STEPS - 1));
    const share = step - Math.floor(step);
    for (let i = 0; i < 4; i++) {
      out[index + i] = colors[from + i]! + (colors[to + i]! - colors[from + i]!) * share;
    }
  }
}

/** Returns the ramp of a property such as `heatmap-color`, whose expression reads `input`. */
export function colorRamp(
  expression: StylePropertyExpression,
  input: 'heatmapDensity' | 'lineProgress',
): ColorRamp {
  return new ColorRamp((part) => expression.evaluate({ zoom: 0, [input]: part }) as Color);
}
