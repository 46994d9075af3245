/** The drawing surface: a buffer of pixels, over which Skia draws furniture. */
import { createCanvas } from '@napi-rs/canvas';
import { LRUCache } from 'lru-cache';
import type { RectPx } from '../../base/spatial/flat.ts';
import type { DrawOn } from '../furniture/draw.ts';
import { blendDrawing, drawingOf, type Drawing } from './drawing.ts';
import { Pixels } from './raster/pixels.ts';
import { releaseMemory } from './surface-memory.ts';

/** Skia's drawings by content. Titles and legends recur, and drawing them takes longer than blending. */
const drawings = new LRUCache<string, Drawing>({
  maxSize: 4 << 20,
  sizeCalculation: ({ runs }, { length }) => runs.byteLength + length,
});

export class Surface {
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
  readonly pixels: Pixels;

  /** @param pixelRatio device pixels per CSS pixel */
  constructor(widthPx: number, heightPx: number, pixelRatio: number) {
    this.width = Math.round(widthPx * pixelRatio);
    this.height = Math.round(heightPx * pixelRatio);
    this.pixelRatio = pixelRatio;
    this.pixels = new Pixels(this.width, this.height);
  }

  /** Lets Skia draw inside a box in CSS pixels, and blends the result over the picture. */
  readonly drawOn: DrawOn = (box, content, draw) => {
    const { pixelRatio: ratio } = this;
    const left = Math.max(0, Math.floor(box.minX * ratio));
    const top = Math.max(0, Math.floor(box.minY * ratio));
    const width = Math.min(this.width, Math.ceil(box.maxX * ratio)) - left;
    const height = Math.min(this.height, Math.ceil(box.maxY * ratio)) - top;
    if (!(width > 0 && height > 0)) return;
    const key = [ratio, left, top, width, height, content].join();
    let drawn = drawings.get(key);
    if (drawn === undefined) {
      const canvas = createCanvas(width, height);
      const context = canvas.getContext('2d');
      context.setTransform(ratio, 0, 0, ratio, -left, -top);
      draw(context);
      const pixels = new Int32Array(width * height);
      new Uint8Array(pixels.buffer).set(canvas.data());
      drawn = drawingOf(pixels, width);
      drawings.set(key, drawn);
    }
    blendDrawing(drawn, this.pixels, left, top);
  };

  /**
   * Draws another surface, at the corner of a box in CSS pixels, and cuts what is outside of this one.
   * Rounding may move a box at the right or the lower edge by a pixel.
   *
   * @param opaque whether every pixel of the other surface is opaque
   */
  drawSurface(other: Surface, { minX, minY }: RectPx, opaque: boolean): void {
    const left = Math.round(minX * this.pixelRatio);
    const top = Math.round(minY * this.pixelRatio);
    const fromX = Math.max(0, -left);
    const toX = Math.min(other.width, this.width - left);
    if (fromX >= toX) return;
    const toY = Math.min(other.height, this.height - top);
    const [above, below] = [other.pixels.words, this.pixels.words];
    for (let y = Math.max(0, -top); y < toY; y++) {
      const row = above.subarray(y * other.width + fromX, y * other.width + toX);
      if (opaque) below.set(row, (top + y) * this.width + left + fromX);
      else blendDrawing(drawingOf(row, row.length), this.pixels, left + fromX, top + y);
    }
  }

  /**
   * Rows of RGBA from the top down, with colors divided by alpha. They are valid until `release`.
   *
   * @param opaque whether every pixel is opaque
   */
  straightBytes(opaque: boolean): Uint8ClampedArray {
    if (opaque) return this.pixels.bytes;
    const straight = this.pixels.bytes.slice();
    unpremultiply(straight);
    return straight;
  }

  /** Keeps the memory for the next surface. */
  release(): void {
    releaseMemory(this.pixels.memory);
  }
}

/** Divides colors by alpha, in place. */
function unpremultiply(bytes: Uint8ClampedArray): void {
  for (let i = 3; i < bytes.length; i += 4) {
    const alpha = bytes[i]!;
    if (alpha === 255 || alpha === 0) continue;
    for (let c = i - 3; c < i; c++) bytes[c] = (bytes[c]! * 255) / alpha;
  }
}
