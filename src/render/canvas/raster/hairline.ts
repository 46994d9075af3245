/** Draws outlines one device pixel wide, as MapLibre does around areas. */
import { smoothStep } from './smooth-step.ts';
import type { Dot } from './brush.ts';
import { firstPixelFrom, type Pixels } from './pixels.ts';

/**
 * Draws one pixel for each column that a segment crosses, or for each row if the segment is steep.
 * Pixels get fainter with the distance of their center from the segment.
 *
 * If the ends of a segment have different distances from the camera, MapLibre measures from the point at
 * the same fraction of the segment in space, so long segments fade between their ends.
 *
 * @param nearness0, nearness1 1 / distance of the ends
 */
export function drawHairline(
  pixels: Pixels,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  dot: Dot,
  nearness0 = 1,
  nearness1 = 1,
): void {
  const { clip } = pixels;
  const isSteep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
  const a = isSteep ? y0 : x0;
  const b = isSteep ? y1 : x1;
  const across0 = isSteep ? x0 : y0;
  const slope = ((isSteep ? x1 : y1) - across0) / (b - a);
  const from = Math.max(isSteep ? clip.minY : clip.minX, firstPixelFrom(Math.min(a, b)));
  const to = Math.min(isSteep ? clip.maxY : clip.maxX, firstPixelFrom(Math.max(a, b)));
  for (let step = from; step < to; step++) {
    const across = across0 + (step + 0.5 - a) * slope;
    // Halfway between two pixels, the left or lower one is drawn.
    const nearest = isSteep ? Math.ceil(across) - 1 : Math.floor(across);
    const x = isSteep ? nearest : step;
    const y = isSteep ? step : nearest;
    if (y < clip.minY || y >= clip.maxY) continue;
    if (x < pixels.firstColumn(y) || x >= pixels.endColumn(y)) continue;
    let strayPx = Math.abs(across - nearest - 0.5);
    if (nearness0 !== nearness1) {
      const share = (step + 0.5 - a) / (b - a);
      const inSpace = (share * nearness1) / (nearness0 + share * (nearness1 - nearness0));
      const stray = (inSpace - share) * (b - a);
      strayPx = Math.hypot(stray, across + stray * slope - nearest - 0.5);
    }
    dot(x, y, 1 - smoothStep(strayPx));
  }
}
