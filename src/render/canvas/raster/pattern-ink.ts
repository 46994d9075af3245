/** Repeats an image across an area. */
import type { PictureData } from '../../scene.ts';
import { smoothStep } from './smooth-step.ts';
import type { Ink, Tint } from './ink.ts';
import { isAffine, type Warp } from './warp.ts';

/**
 * Surrounds an image with the pixels of its opposite edges, so that repetitions blend into each other.
 * As in MapLibre, the corners stay transparent.
 */
export function withOppositeEdges({ width, height, pixels }: PictureData): PictureData {
  const paddedWidth = width + 2;
  const padded = new Uint8ClampedArray(4 * paddedWidth * (height + 2));
  for (let y = -1; y <= height; y++) {
    for (let x = -1; x <= width; x++) {
      const isOutside = { x: x < 0 || x === width, y: y < 0 || y === height };
      if (isOutside.x && isOutside.y) continue;
      const from = 4 * (((y + height) % height) * width + ((x + width) % width));
      const to = 4 * ((y + 1) * paddedWidth + x + 1);
      for (let c = 0; c < 4; c++) padded[to + c] = pixels[from + c]!;
    }
  }
  return { width: paddedWidth, height: height + 2, pixels: padded };
}

/** Paints an image that repeats in both directions, its colors interpolated. */
export class PatternInk implements Ink {
  private readonly width: number;
  private readonly height: number;
  private readonly padded: PictureData;
  private readonly warp: Warp;
  /** Results of `locate`: the upper left of four pixels of `padded`, and the shares of the others */
  private byte = 0;
  private left = 0;
  private right = 0;
  private below = 0;

  /**
   * @param warp from device pixels to repetitions: 1 is the width or height of the image
   * @param padded result of `withOppositeEdges`
   */
  constructor(image: PictureData, warp: Warp, padded = withOppositeEdges(image)) {
    this.width = image.width;
    this.height = image.height;
    this.padded = padded;
    this.warp = warp;
  }

  row(x: number, y: number, count: number, out: Float32Array): void {
    const { warp, width } = this;
    const { pixels, width: stride } = this.padded;
    this.locate(x + 0.5, y + 0.5);
    // Upright patterns, which are most, stay in the same two rows of the image.
    const isUpright = isAffine(warp) && warp[3] === 0;
    const { byte: firstByte, left: firstLeft } = this;
    const rowByte = firstByte - 4 * firstLeft;
    const uAtRow = (warp[1]! * (y + 0.5) + warp[2]!) / warp[8]!;
    const perPixel = warp[0]! / warp[8]!;
    for (let i = 0; i < count; i++) {
      if (isUpright) {
        const u = perPixel * (x + i + 0.5) + uAtRow;
        const column = (u - Math.floor(u)) * width + 0.5;
        const left = Math.floor(column);
        this.byte = rowByte + 4 * left;
        this.right = column - left;
      } else this.locate(x + i + 0.5, y + 0.5);
      const { byte: p, right, below } = this;
      const q = p + 4 * stride;
      const b = right * (1 - below);
      const a = 1 - below - b;
      const d = right * below;
      const c = below - d;
      const to = 4 * i;
      out[to] = pixels[p]! * a + pixels[p + 4]! * b + pixels[q]! * c + pixels[q + 4]! * d;
      out[to + 1] =
        pixels[p + 1]! * a + pixels[p + 5]! * b + pixels[q + 1]! * c + pixels[q + 5]! * d;
      out[to + 2] =
        pixels[p + 2]! * a + pixels[p + 6]! * b + pixels[q + 2]! * c + pixels[q + 6]! * d;
      const alpha =
        pixels[p + 3]! * a + pixels[p + 7]! * b + pixels[q + 3]! * c + pixels[q + 7]! * d;
      out[to + 3] = alpha / 255;
    }
  }

  /** Returns the interpolated alpha (0 to 1) at a position in device pixels. */
  alphaAt(x: number, y: number): number {
    const { pixels, width: stride } = this.padded;
    this.locate(x, y);
    const { byte, right, below } = this;
    const at = byte + 3;
    const beneath = at + 4 * stride;
    const upper = pixels[at]! * (1 - right) + pixels[at + 4]! * right;
    const lower = pixels[beneath]! * (1 - right) + pixels[beneath + 4]! * right;
    return (upper * (1 - below) + lower * below) / 255;
  }

  /** Finds a position in device pixels in the image. */
  private locate(x: number, y: number): void {
    const { warp } = this;
    const w = warp[6]! * x + warp[7]! * y + warp[8]!;
    const u = (warp[0]! * x + warp[1]! * y + warp[2]!) / w;
    const v = (warp[3]! * x + warp[4]! * y + warp[5]!) / w;
    // The padding is one pixel, and pixels have their colors in the middle.
    const column = (u - Math.floor(u)) * this.width + 0.5;
    const row = (v - Math.floor(v)) * this.height + 0.5;
    const left = Math.floor(column);
    const top = Math.floor(row);
    this.left = left;
    this.byte = 4 * (top * this.padded.width + left);
    this.right = column - left;
    this.below = row - top;
  }
}

/** Distance field values inside a shape are above this. */
const EDGE = 0.75;

/** An edge is at least this wide, in distance field values. */
const MIN_SOFTNESS = 1 / 255 / 16;

/** Paints the shapes of a repeating signed distance field in one color. */
export class FieldPatternInk implements Ink {
  private readonly field: PatternInk;
  private readonly tint: Tint;
  private readonly rows: number;

  /** @param rows height of the picture, in device pixels */
  constructor(field: PatternInk, tint: Tint, rows: number) {
    this.field = field;
    this.tint = tint;
    this.rows = rows;
  }

  row(x: number, y: number, count: number, out: Float32Array): void {
    const { field, tint } = this;
    // Graphics cards take differences within blocks of 2 by 2 pixels, counted from the lower left.
    const lower = (this.rows - 1 - y) % 2 === 0 ? y : y + 1;
    let softness = 0;
    for (let i = 0; i < count; i++) {
      const left = (x + i) & ~1;
      if (i === 0 || left === x + i) {
        const corner = field.alphaAt(left + 0.5, lower + 0.5);
        const across = field.alphaAt(left + 1.5, lower + 0.5) - corner;
        const up = field.alphaAt(left + 0.5, lower - 0.5) - corner;
        softness = Math.max((Math.abs(across) + Math.abs(up)) / 2, MIN_SOFTNESS);
      }
      const inside = (field.alphaAt(x + i + 0.5, y + 0.5) - EDGE + softness) / (2 * softness);
      const share = smoothStep(inside);
      out[4 * i] = tint.r * share;
      out[4 * i + 1] = tint.g * share;
      out[4 * i + 2] = tint.b * share;
      out[4 * i + 3] = tint.alpha * share;
    }
  }
}
