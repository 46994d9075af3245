/** Draws outlines one device pixel wide, as MapLibre does around areas. */
import { smoothStep } from '../smooth-step.ts';
import { firstPixelFrom, type Pixels, type Tint } from './pixels.ts';

/**
 * Draws one pixel for each column that a segment crosses, or for each row if the segment is steep.
 * Pixels get fainter with the distance of their center from the segment.
 */
export function drawHairline(
  pixels: Pixels,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  tint: Tint,
): void {
  const { clip, width } = pixels;
  const isSteep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
  const [a, b] = isSteep ? [y0, y1] : [x0, x1];
  const [across0, across1] = isSteep ? [x0, x1] : [y0, y1];
  const slope = (across1 - across0) / (b - a);
  const from = Math.max(isSteep ? clip.minY : clip.minX, firstPixelFrom(Math.min(a, b)));
  const to = Math.min(isSteep ? clip.maxY : clip.maxX, firstPixelFrom(Math.max(a, b)));
  for (let step = from; step < to; step++) {
    const across = across0 + (step + 0.5 - a) * slope;
    // Halfway between two pixels, the left or lower one is drawn.
    const nearest = isSteep ? Math.ceil(across) - 1 : Math.floor(across);
    const x = isSteep ? nearest : step;
    const y = isSteep ? step : nearest;
    if (x < clip.minX || x >= clip.maxX || y < clip.minY || y >= clip.maxY) continue;
    pixels.blend(y * width + x, tint, 1 - smoothStep(Math.abs(across - nearest - 0.5)));
  }
}
