/** Brushes for areas and their outlines: a flat color or an ink. */
import type { FlatPoints } from '../../../spatial/flat.ts';
import type { Ink } from './ink.ts';
import type { Pixels, Tint } from './pixels.ts';
import { fillPolygon, inkPolygon } from './polygon.ts';

export interface Brush {
  /** Fills rings in device pixels. */
  fill(rings: readonly FlatPoints[]): void;
  /** Blends a pixel, weighted by `share` (0..1). */
  dot(x: number, y: number, share: number): void;
}

export function tintBrush(pixels: Pixels, tint: Tint): Brush {
  return {
    fill: (rings) => fillPolygon(pixels, rings, tint),
    dot: (x, y, share) => pixels.blend(y * pixels.width + x, tint, share),
  };
}

/** @param opacity 0 to 1 */
export function inkBrush(pixels: Pixels, ink: Ink, opacity: number): Brush {
  return {
    fill: (rings) => inkPolygon(pixels, rings, ink, opacity),
    dot: (x, y, share) => pixels.inkPixel(x, y, ink, opacity * share),
  };
}
