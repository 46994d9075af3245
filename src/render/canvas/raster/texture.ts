/** An image that layers draw enlarged, shrunk, or warped. */
import type { PictureData } from '../../scene.ts';

/**
 * An image with smaller copies of itself, each half as large as the one before, down to one pixel.
 * Shrunk images read the copy nearest to their size, as graphics cards do, so no pixel is skipped.
 */
export class Texture {
  private readonly levels: PictureData[];
  private readonly hasCopies: boolean;

  constructor(image: PictureData, hasCopies: boolean) {
    this.levels = [image];
    this.hasCopies = hasCopies;
  }

  /** The image itself */
  get full(): PictureData {
    return this.levels[0]!;
  }

  /**
   * Returns the copy to read at a level of detail: 0 is the image itself, 1 half its size. Fractions are
   * rounded, halves down.
   */
  at(detail: number): PictureData {
    if (!this.hasCopies || detail <= 0.5) return this.full;
    const level = Math.min(Math.ceil(detail - 0.5), this.lastLevel);
    while (this.levels.length <= level) this.levels.push(halve(this.levels.at(-1)!));
    return this.levels[level]!;
  }

  private get lastLevel(): number {
    return Math.floor(Math.log2(Math.max(this.full.width, this.full.height)));
  }
}

/** Averages each 2 by 2 pixels. An odd last row or column is dropped, as in OpenGL. */
function halve({ width, height, pixels }: PictureData): PictureData {
  const half = { width: Math.max(1, width >> 1), height: Math.max(1, height >> 1) };
  const copy = new Uint8ClampedArray(4 * half.width * half.height);
  const right = width > 1 ? 4 : 0;
  const below = height > 1 ? 4 * width : 0;
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      const from = 4 * (Math.min(2 * y, height - 1) * width + Math.min(2 * x, width - 1));
      const to = 4 * (y * half.width + x);
      for (let c = 0; c < 4; c++) {
        const at = from + c;
        const sum =
          pixels[at]! + pixels[at + right]! + pixels[at + below]! + pixels[at + right + below]!;
        copy[to + c] = sum / 4;
      }
    }
  }
  return { ...half, pixels: copy };
}
