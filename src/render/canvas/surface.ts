/** The drawing surface: a buffer of pixels, over which Skia draws furniture. */
import { createCanvas } from '@napi-rs/canvas';
import { LRUCache } from 'lru-cache';
import type { DrawOn } from '../furniture/draw.ts';
import { Pixels } from './raster/pixels.ts';
import { acquireMemory, releaseMemory } from './surface-memory.ts';

/** Skia's drawings by content. Titles and legends recur, and drawing them takes longer than blending. */
const drawings = new LRUCache<string, Int32Array>({
  maxSize: 4 << 20,
  sizeCalculation: ({ byteLength }, { length }) => byteLength + length,
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
    this.pixels = new Pixels(this.width, this.height, acquireMemory(this.width, this.height));
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
      drawn = new Int32Array(width * height);
      new Uint8Array(drawn.buffer).set(canvas.data());
      drawings.set(key, drawn);
    }
    this.blendOver(drawn, left, top, width, height);
  };

  /** Blends premultiplied pixels over a part of the picture. */
  private blendOver(
    drawn: Int32Array,
    left: number,
    top: number,
    width: number,
    height: number,
  ): void {
    const { bytes: below } = this.pixels;
    const words = new Int32Array(below.buffer, below.byteOffset, this.width * this.height);
    // Most pixels have the color of the previous one, in both pictures.
    let [paper, map, blended] = [0, 0, 0];
    for (let y = 0, i = 0; y < height; y++) {
      let index = (top + y) * this.width + left;
      for (const end = index + width; index < end; index++, i++) {
        if (drawn[i] === 0) continue;
        if (drawn[i] === paper && words[index] === map) {
          words[index] = blended;
          continue;
        }
        paper = drawn[i]!;
        map = words[index]!;
        const alpha = paper >>> 24;
        const rest = 1 - alpha / 255;
        const at = 4 * index;
        below[at] = (paper & 255) + below[at]! * rest;
        below[at + 1] = ((paper >>> 8) & 255) + below[at + 1]! * rest;
        below[at + 2] = ((paper >>> 16) & 255) + below[at + 2]! * rest;
        below[at + 3] = alpha + below[at + 3]! * rest;
        blended = words[index]!;
      }
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

  /** Keeps the memory for the next surface of this size. */
  release(): void {
    releaseMemory(this.width, this.height, this.pixels.bytes);
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
