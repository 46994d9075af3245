/** A pixel buffer that blends colors as a graphics card does. */
import type { RectPx } from '../../../base/spatial/flat.ts';
import type { ConvexArea } from './convex-area.ts';
import { acquireMemory, MAX_MASK_BYTES, type Mask, type SurfaceMemory } from '../surface-memory.ts';
import type { Ink, Tint } from './ink.ts';
import { firstPixelFrom, firstRowFrom } from './pixel-grid.ts';

export class Pixels {
  readonly width: number;
  readonly height: number;
  /** Rows of premultiplied RGBA from the top down */
  readonly bytes: Uint8ClampedArray<ArrayBuffer>;
  /** The same pixels, as one number each */
  readonly words: Int32Array;
  /** Pixels that may be drawn on: columns from `minX` up to but excluding `maxX`; rows likewise */
  clip: Readonly<RectPx>;
  /** Narrows `clip` to an area whose sides aren't level and upright */
  private clipArea: ConvexArea | null = null;
  readonly memory: SurfaceMemory;
  private readonly inkRow: Float32Array;

  /** All pixels are transparent black. */
  constructor(width: number, height: number, memory = acquireMemory(width, height)) {
    this.width = width;
    this.height = height;
    this.memory = memory;
    this.bytes = memory.pixels(width, height).fill(0);
    const { buffer, byteOffset } = this.bytes;
    this.words = new Int32Array(buffer, byteOffset, width * height);
    this.inkRow = new Float32Array(4 * width);
    memory.kernels.setSurface(width, memory.crossingRows(width, height).fill(0).byteOffset);
    this.clip = { minX: 0, minY: 0, maxX: width, maxY: height };
    this.clipTo(null);
  }

  /** Limits drawing to pixels whose centers lie in a rectangle in CSS pixels. Null removes the limit. */
  clipTo(rect: RectPx | null, pixelRatio = 1): void {
    const { width, height } = this;
    this.clipArea = null;
    this.clip =
      rect === null
        ? { minX: 0, minY: 0, maxX: width, maxY: height }
        : {
            minX: clamp(firstPixelFrom(rect.minX * pixelRatio), width),
            minY: clamp(firstRowFrom(rect.minY * pixelRatio), height),
            maxX: clamp(firstPixelFrom(rect.maxX * pixelRatio), width),
            maxY: clamp(firstRowFrom(rect.maxY * pixelRatio), height),
          };
    const { minX, minY, maxX, maxY } = this.clip;
    this.memory.kernels.setClip(minX, minY, maxX, maxY, 0);
  }

  /** Limits drawing to an area of device pixels. */
  clipToArea(area: ConvexArea): void {
    if (area === this.clipArea) return;
    const { minX, minY, maxX, maxY } = area.box;
    this.clipArea = area;
    this.clip = area.box;
    const ranges = this.memory.columnRanges(this.width, this.height);
    for (let y = minY; y < maxY; y++) {
      ranges[2 * (y - minY)] = area.firstColumn(y);
      ranges[2 * (y - minY) + 1] = area.endColumn(y);
    }
    this.memory.kernels.setClip(minX, minY, maxX, maxY, ranges.byteOffset);
  }

  /** The first column that may be drawn on in a row of `clip`. */
  firstColumn(y: number): number {
    return this.clipArea === null ? this.clip.minX : this.clipArea.firstColumn(y);
  }

  /** The column after the last that may be drawn on in a row of `clip`. */
  endColumn(y: number): number {
    return this.clipArea === null ? this.clip.maxX : this.clipArea.endColumn(y);
  }

  /** Blends a tint, weighted by `share` (0..1), over the pixel at `index`, counted row by row. */
  blend(index: number, tint: Tint, share: number): void {
    const backdropShare = 1 - tint.alpha * share;
    if (backdropShare <= 0) {
      this.words[index] = tint.word;
      return;
    }
    const { bytes } = this;
    const byte = 4 * index;
    bytes[byte] = tint.r * share + bytes[byte]! * backdropShare;
    bytes[byte + 1] = tint.g * share + bytes[byte + 1]! * backdropShare;
    bytes[byte + 2] = tint.b * share + bytes[byte + 2]! * backdropShare;
    bytes[byte + 3] = 255 * tint.alpha * share + bytes[byte + 3]! * backdropShare;
  }

  /** Like `blend`, for a color that is used for a single pixel. Takes it premultiplied, as in a `Tint`. */
  blendColor(index: number, r: number, g: number, b: number, alpha: number, share: number): void {
    const { bytes } = this;
    const byte = 4 * index;
    const backdropShare = 1 - alpha * share;
    bytes[byte] = r * share + bytes[byte]! * backdropShare;
    bytes[byte + 1] = g * share + bytes[byte + 1]! * backdropShare;
    bytes[byte + 2] = b * share + bytes[byte + 2]! * backdropShare;
    bytes[byte + 3] = 255 * alpha * share + bytes[byte + 3]! * backdropShare;
  }

  /**
   * Blends a tint, weighted by `share` (0..1), where a mask covers pixels, also outside `clip`.
   *
   * @param x, y column and row from which the mask's corner is counted
   */
  blendMask(mask: Mask, x: number, y: number, tint: Tint, share: number): void {
    // The kernel takes 0 for an opaque tint.
    if (share === 0) return;
    const { width, height } = mask;
    const left = x + mask.left;
    const top = y + mask.top;
    const fromX = Math.max(0, left);
    const toX = Math.min(this.width, left + width);
    const fromY = Math.max(0, top);
    const toY = Math.min(this.height, top + height);
    if (fromX >= toX || fromY >= toY) return;
    if (mask.coverage.length > MAX_MASK_BYTES) {
      for (const half of halves(mask)) this.blendMask(half, x, y, tint, share);
      return;
    }
    const { memory } = this;
    const unit = tint.isExact && share === 1 ? 0 : share / 255;
    this.setTint(tint);
    const address = memory.addressOf(mask);
    memory.kernels.blendMask(address, width, left, fromX, toX, top, fromY, toY, unit);
  }

  /** Sets the color with which kernels draw. */
  setTint({ r, g, b, alpha, word }: Tint): void {
    this.memory.kernels.setTint(r, g, b, alpha, word);
  }

  /** Fills the pixels of a row whose centers lie from `left` up to but excluding `right`. */
  fillRow(y: number, left: number, right: number, tint: Tint): void {
    const from = Math.max(this.firstColumn(y), firstPixelFrom(left));
    const to = Math.min(this.endColumn(y), firstPixelFrom(right));
    if (from >= to) return;
    this.setTint(tint);
    this.memory.kernels.fillRun(y, from, to);
  }

  /** Like `fillRow`, with colors that vary, at an opacity (0..1). */
  fillRowWith(y: number, left: number, right: number, ink: Ink, opacity: number): void {
    const from = Math.max(this.firstColumn(y), firstPixelFrom(left));
    const to = Math.min(this.endColumn(y), firstPixelFrom(right));
    if (from >= to) return;
    const { inkRow } = this;
    ink.row(from, y, to - from, inkRow);
    const row = y * this.width;
    for (let x = from, i = 0; x < to; x++, i += 4) {
      this.blendColor(row + x, inkRow[i]!, inkRow[i + 1]!, inkRow[i + 2]!, inkRow[i + 3]!, opacity);
    }
  }

  /** Blends the color of an ink over one pixel, weighted by `share` (0..1). */
  inkPixel(x: number, y: number, ink: Ink, share: number): void {
    const { inkRow } = this;
    ink.row(x, y, 1, inkRow);
    const index = y * this.width + x;
    this.blendColor(index, inkRow[0]!, inkRow[1]!, inkRow[2]!, inkRow[3]!, share);
  }
}

/** The upper and the lower half of a mask that is too large for the kernels' memory. */
function halves({ left, top, width, height, coverage }: Mask): [upper: Mask, lower: Mask] {
  const rows = height >> 1;
  return [
    { left, top, width, height: rows, coverage: coverage.subarray(0, rows * width) },
    {
      left,
      top: top + rows,
      width,
      height: height - rows,
      coverage: coverage.subarray(rows * width),
    },
  ];
}

/** Returns the closest number from 0 to `max`. */
function clamp(value: number, max: number): number {
  return Math.max(0, Math.min(max, value));
}
