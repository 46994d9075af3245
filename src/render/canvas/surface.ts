/** What layers are drawn on: shapes as pixels of our own, letters on Skia's canvas. */
import { createCanvas, ImageData, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { Pixels } from './raster/pixels.ts';

/**
 * One picture in two hands. It moves to the one that is asked for, which costs about a millisecond
 * per million pixels: once for most styles, where all labels lie above all shapes.
 */
export class Surface {
  readonly pixelRatio: number;
  private readonly canvas: Canvas;
  private readonly own: Pixels;
  private isOnCanvas = false;

  /** A picture of CSS pixels */
  constructor(widthPx: number, heightPx: number, pixelRatio: number) {
    const width = Math.round(widthPx * pixelRatio);
    const height = Math.round(heightPx * pixelRatio);
    this.pixelRatio = pixelRatio;
    this.canvas = createCanvas(width, height);
    this.own = new Pixels(width, height);
  }

  get pixels(): Pixels {
    // Skia's bytes are premultiplied, as ours are.
    if (this.isOnCanvas) this.own.bytes.set(this.canvas.data());
    this.isOnCanvas = false;
    return this.own;
  }

  get context(): SKRSContext2D {
    const context = this.canvas.getContext('2d');
    if (!this.isOnCanvas) {
      const { width, height } = this.canvas;
      context.putImageData(new ImageData(unmultiplied(this.own.bytes), width, height), 0, 0);
    }
    this.isOnCanvas = true;
    return context;
  }
}

/** The bytes with colours divided by alpha; the very same where all are opaque. */
function unmultiplied(bytes: Uint8ClampedArray<ArrayBuffer>): Uint8ClampedArray<ArrayBuffer> {
  let divided = bytes;
  for (let i = 3; i < bytes.length; i += 4) {
    const alpha = bytes[i]!;
    if (alpha === 255) continue;
    if (divided === bytes) divided = bytes.slice();
    if (alpha === 0) continue;
    for (let c = i - 3; c < i; c++) divided[c] = (bytes[c]! * 255) / alpha;
  }
  return divided;
}
