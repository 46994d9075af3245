/** The contrast of colors as defined in WCAG 2.2. */
import { Color } from './style-spec.ts';

const linear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
const LINEAR_BYTES = Float64Array.from({ length: 256 }, (_, byte) => linear(byte / 255));

const weightedSum = (red: number, green: number, blue: number) =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** Returns the relative luminance of a pixel, 0 to 1. @param red 0 to 255 */
export const luminanceOf = (red: number, green: number, blue: number) =>
  weightedSum(LINEAR_BYTES[red]!, LINEAR_BYTES[green]!, LINEAR_BYTES[blue]!);

/** Returns the relative luminance of an opaque CSS color, 0 to 1. */
export function relativeLuminance(color: string): number {
  const [red, green, blue] = Color.parse(color)!.rgb.map(linear) as [number, number, number];
  return weightedSum(red, green, blue);
}

/** Returns the contrast ratio of two luminances, 1 to 21. */
export const ratioOf = (x: number, y: number) => (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);

/** Returns the contrast ratio of two opaque CSS colors, 1 to 21. */
export const contrast = (a: string, b: string) =>
  ratioOf(relativeLuminance(a), relativeLuminance(b));
