/** Blends a mask that is turned, scaled, or lies on the map, with smooth edges. */
import { rectOf } from '../../../base/spatial/flat.ts';
import type { Pixels } from './pixels.ts';
import type { Mask } from '../surface-memory.ts';
import type { Tint } from './ink.ts';

/** Moves (x, y) to (a * x + c * y + e, b * x + d * y + f), as `setTransform` of a canvas does. */
export type Transform = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Samples per side of a pixel */
const SAMPLES = 4;

const sampleU = new Float64Array(SAMPLES * SAMPLES);
const sampleV = new Float64Array(SAMPLES * SAMPLES);

/**
 * @param transform from pixels of the mask to those of the picture
 * @param share weight of the tint, 0 to 1
 */
export function blendTurnedMask(
  pixels: Pixels,
  { left, top, width, height, coverage }: Mask,
  [a, b, c, d, e, f]: Transform,
  tint: Tint,
  share: number,
): void {
  const area = a * d - b * c;
  if (area === 0) return;
  const corners = [left, top, left + width, top, left, top + height, left + width, top + height];
  const box = rectOf(
    corners.map((value, i) =>
      i % 2 === 0 ? a * value + c * corners[i + 1]! + e : b * corners[i - 1]! + d * value + f,
    ),
  );
  // Columns and rows of the mask per column and row of the picture
  const [uByX, uByY, vByX, vByY] = [d / area, -c / area, -b / area, a / area];
  for (let i = 0; i < SAMPLES * SAMPLES; i++) {
    const x = ((i % SAMPLES) + 0.5) / SAMPLES;
    const y = (Math.floor(i / SAMPLES) + 0.5) / SAMPLES;
    sampleU[i] = uByX * x + uByY * y;
    sampleV[i] = vByX * x + vByY * y;
  }
  const unit = share / (255 * SAMPLES * SAMPLES);
  const [fromX, toX] = [Math.max(0, Math.floor(box.minX)), Math.min(pixels.width, box.maxX)];
  const [fromY, toY] = [Math.max(0, Math.floor(box.minY)), Math.min(pixels.height, box.maxY)];
  for (let y = fromY; y < toY; y++) {
    for (let x = fromX; x < toX; x++) {
      const u = uByX * (x - e) + uByY * (y - f) - left;
      const v = vByX * (x - e) + vByY * (y - f) - top;
      let sum = 0;
      for (let i = 0; i < SAMPLES * SAMPLES; i++) {
        const column = Math.floor(u + sampleU[i]!);
        const row = Math.floor(v + sampleV[i]!);
        if (column >= 0 && column < width && row >= 0 && row < height) {
          sum += coverage[row * width + column]!;
        }
      }
      if (sum > 0) pixels.blend(y * pixels.width + x, tint, sum * unit);
    }
  }
}
