/** The contrast of colors, as WCAG 2.2 defines it. */
import { Color } from './render/style-spec.ts';

/** Returns the relative luminance of an opaque CSS color, 0 to 1. */
export function relativeLuminance(color: string): number {
  const [red, green, blue] = Color.parse(color)!.rgb.map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of two opaque CSS colors, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [relativeLuminance(a), relativeLuminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}
