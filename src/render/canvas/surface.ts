/** The drawing surface: shapes go to our own pixel buffer, letters to Skia's canvas. */
import { createCanvas, ImageData, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { Pixels } from './raster/pixels.ts';

/**
 * One picture with two representations. Reading `pixels` or `context` copies the picture there if it
 * is in the other one, at about a millisecond per million pixels. Most styles draw all labels above
 * all shapes and need one copy.
 */
export class Surface {
  readonly pixelRatio: number;
  private readonly canvas: Canvas;
  private readonly buffer: Pixels;
  private isOnCanvas = false;

  /** @param pixelRatio device pixels per CSS pixel */
  constructor(widthPx: number, heightPx: number, pixelRatio: number) {
    const width = Math.round(widthPx * pixelRatio);
    const height = Math.round(heightPx * pixelRatio);
    this.pixelRatio = pixelRatio;
    this.canvas = createCanvas(width, height);
    this.buffer = new Pixels(width, height);
  }

  get pixels(): Pixels {
    // Both hold premultiplied bytes.
    if (this.isOnCanvas) this.buffer.bytes.set(this.canvas.data());
    this.isOnCanvas = false;
    return this.buffer;
  }

  get context(): SKRSContext2D {
    const context = this.canvas.getContext('2d');
    if (!this.isOnCanvas) {
      const { width, height } = this.canvas;
      context.putImageData(new ImageData(unpremultiplied(this.buffer.bytes), width, height), 0, 0);
    }
    this.isOnCanvas = true;
    return context;
  }
}

/** Divides colors by alpha, in a copy; returns `bytes` itself if every pixel is opaque. */
function unpremultiplied(bytes: Uint8ClampedArray<ArrayBuffer>): Uint8ClampedArray<ArrayBuffer> {
  let result = bytes;
  for (let i = 3; i < bytes.length; i += 4) {
    const alpha = bytes[i]!;
    if (alpha === 255) continue;
    if (result === bytes) result = bytes.slice();
    if (alpha === 0) continue;
    for (let c = i - 3; c < i; c++) result[c] = (bytes[c]! * 255) / alpha;
  }
  return result;
}
