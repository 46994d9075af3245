/**
 * Drawings of Skia as runs of equal pixels. Cards have few colors, so they take a tenth of the memory of
 * pixels, and most of their pixels are blended as the one before.
 */
import type { Pixels } from './raster/pixels.ts';

export interface Drawing {
  width: number;
  /** Length and premultiplied color of each run, row by row. No run continues on the next row. */
  runs: Int32Array;
}

/** @param pixels rows of premultiplied RGBA, one number for each pixel */
export function drawingOf(pixels: Int32Array, width: number): Drawing {
  const runs: number[] = [];
  for (let start = 0; start < pixels.length; start += width) {
    const end = start + width;
    for (let i = start; i < end;) {
      const color = pixels[i]!;
      let next = i + 1;
      while (next < end && pixels[next] === color) next++;
      runs.push(next - i, color);
      i = next;
    }
  }
  return { width, runs: Int32Array.from(runs) };
}

/** Blends a drawing over a part of a picture, whose upper left corner is at (left, top). */
export function blendDrawing(
  { width, runs }: Drawing,
  { memory: { kernels }, width: pictureWidth }: Pixels,
  left: number,
  top: number,
): void {
  let index = top * pictureWidth + left;
  let rowEnd = index + width;
  for (let i = 0; i < runs.length; i += 2) {
    const count = runs[i]!;
    const color = runs[i + 1]!;
    if (color !== 0) kernels.blendRun(index, count, color);
    index += count;
    if (index === rowEnd) {
      index += pictureWidth - width;
      rowEnd += pictureWidth;
    }
  }
}
