/** The drawing surface: shapes go to our own pixel buffer, letters to Skia's canvas. */
import type { SKRSContext2D } from '@napi-rs/canvas';
import { Pixels } from './raster/pixels.ts';
import { acquireMemory, releaseMemory, type SurfaceMemory } from './surface-memory.ts';

/**
 * One picture with two representations. Reading `pixels` or `context` copies the picture there if it
 * is in the other one, at 2 to 4 milliseconds per million pixels. Most styles draw all labels above all
 * shapes and need one copy, and pictures without letters need none.
 */
export class Surface {
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
  private readonly memory: SurfaceMemory;
  private readonly buffer: Pixels;
  private isOnCanvas = false;

  /** @param pixelRatio device pixels per CSS pixel */
  constructor(widthPx: number, heightPx: number, pixelRatio: number) {
    this.width = Math.round(widthPx * pixelRatio);
    this.height = Math.round(heightPx * pixelRatio);
    this.pixelRatio = pixelRatio;
    this.memory = acquireMemory(this.width, this.height);
    this.buffer = new Pixels(this.width, this.height, this.memory.bytes);
  }

  get pixels(): Pixels {
    // Both hold premultiplied bytes.
    if (this.isOnCanvas) this.buffer.bytes.set(this.memory.context().canvas.data());
    this.isOnCanvas = false;
    return this.buffer;
  }

  get context(): SKRSContext2D {
    const context = this.memory.context();
    if (!this.isOnCanvas) {
      const { bytes, image } = this.memory;
      const premultiplied = unpremultiply(bytes);
      context.putImageData(image, 0, 0);
      if (premultiplied !== null) bytes.set(premultiplied);
    }
    this.isOnCanvas = true;
    return context;
  }

  /**
   * Rows of RGBA from the top down, with colors divided by alpha. They are valid until `release`.
   *
   * @param opaque whether every pixel is opaque
   */
  straightBytes(opaque: boolean): Uint8Array | Uint8ClampedArray {
    if (!opaque) return this.context.getImageData(0, 0, this.width, this.height).data;
    return this.isOnCanvas ? this.context.canvas.data() : this.buffer.bytes;
  }

  /** Keeps the memory for the next surface of this size. */
  release(): void {
    releaseMemory(this.memory);
  }
}

/** Divides colors by alpha, in place. Returns the bytes before, or null if every pixel is opaque. */
function unpremultiply(bytes: Uint8ClampedArray): Uint8ClampedArray | null {
  let before: Uint8ClampedArray | null = null;
  for (let i = 3; i < bytes.length; i += 4) {
    const alpha = bytes[i]!;
    if (alpha === 255) continue;
    before ??= bytes.slice();
    if (alpha === 0) continue;
    for (let c = i - 3; c < i; c++) bytes[c] = (bytes[c]! * 255) / alpha;
  }
  return before;
}
