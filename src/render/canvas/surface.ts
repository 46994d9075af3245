/** The drawing surface: a buffer of pixels, from which Skia borrows parts to draw furniture. */
import { createCanvas, ImageData } from '@napi-rs/canvas';
import type { DrawOn } from '../furniture/draw.ts';
import { Pixels } from './raster/pixels.ts';
import { acquireMemory, releaseMemory } from './surface-memory.ts';

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

  /** Draws with Skia inside a box in CSS pixels. Copies no other pixels, since a whole picture takes 5 ms. */
  readonly drawOn: DrawOn = (box, draw) => {
    const { pixelRatio: ratio, pixels } = this;
    const left = Math.max(0, Math.floor(box.minX * ratio));
    const top = Math.max(0, Math.floor(box.minY * ratio));
    const width = Math.min(this.width, Math.ceil(box.maxX * ratio)) - left;
    const height = Math.min(this.height, Math.ceil(box.maxY * ratio)) - top;
    if (!(width > 0 && height > 0)) return;
    const part = new Uint8ClampedArray(4 * width * height);
    const rowOf = (y: number) => {
      const start = 4 * ((top + y) * this.width + left);
      return pixels.bytes.subarray(start, start + 4 * width);
    };
    for (let y = 0; y < height; y++) part.set(rowOf(y), 4 * width * y);
    unpremultiply(part);
    const canvas = createCanvas(width, height);
    const context = canvas.getContext('2d');
    context.putImageData(new ImageData(part, width, height), 0, 0);
    context.setTransform(ratio, 0, 0, ratio, -left, -top);
    draw(context);
    // Both hold premultiplied bytes.
    const drawn = canvas.data();
    for (let y = 0; y < height; y++) {
      rowOf(y).set(drawn.subarray(4 * width * y, 4 * width * (y + 1)));
    }
  };

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
