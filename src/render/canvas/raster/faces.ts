/** Draws flat faces in space, hiding what lies behind others, as a graphics card does. */
import type { FlatPoints } from '../../../base/spatial/flat.ts';
import type { Pixels } from './pixels.ts';
import { firstPixelFrom } from './pixel-grid.ts';
import type { Warp } from './warp.ts';
import type { Ink } from './ink.ts';
import { eachRun } from './polygon.ts';

/** Red, green, and blue, 0..1 */
export type Shade = readonly [r: number, g: number, b: number];

export interface Face {
  /** Outlines in device pixels, filled by the even-odd rule */
  rings: readonly FlatPoints[];
  /**
   * Maps device pixels to positions on the face, weighted by 1 / distance. The second coordinate of a wall
   * goes from 0 at its lower edge to 1 at its upper one.
   */
  warp: Warp;
  /** Colors, or factors of the ink, at the lower and the upper edge */
  lower: Shade;
  upper: Shade;
  /** Null for one color */
  ink: Ink | null;
}

/** The nearest surface of each pixel, for all layers of a picture. */
export class DepthBuffer {
  private readonly nearness: Float32Array;
  private readonly drawn: Uint8Array;
  private readonly pixels: Pixels;
  private readonly inkRow: Float32Array;

  constructor(pixels: Pixels) {
    this.pixels = pixels;
    this.inkRow = new Float32Array(4 * pixels.width);
    this.nearness = new Float32Array(pixels.width * pixels.height);
    this.drawn = new Uint8Array(pixels.width * pixels.height);
  }

  /** Draws faces; a later one hides an earlier one at the same distance. */
  drawOpaque(faces: readonly Face[]): void {
    for (const face of faces) this.drawFace(face, 1, false);
  }

  /** Draws only the nearest face of each pixel, and only where no other layer has drawn a nearer one. */
  drawTranslucent(faces: readonly Face[], opacity: number): void {
    for (const face of faces) this.occlude(face);
    this.drawn.fill(0);
    for (const face of faces) this.drawFace(face, opacity, true);
  }

  private occlude({ rings, warp }: Face): void {
    const { nearness: nearest, pixels } = this;
    eachRun(pixels, rings, (y, left, right) => {
      const from = Math.max(pixels.firstColumn(y), firstPixelFrom(left));
      const to = Math.min(pixels.endColumn(y), firstPixelFrom(right));
      const row = y * pixels.width;
      const atRow = warp[7]! * (y + 0.5) + warp[8]!;
      for (let x = from; x < to; x++) {
        const near = atRow + warp[6]! * (x + 0.5);
        if (near > nearest[row + x]!) nearest[row + x] = near;
      }
    });
  }

  private drawFace(face: Face, opacity: number, isOnce: boolean): void {
    const { nearness: nearest, drawn, pixels } = this;
    const { rings, warp, lower, upper, ink } = face;
    const [r, g, b] = lower;
    const [dr, dg, db] = [upper[0] - r, upper[1] - g, upper[2] - b];
    const { inkRow } = this;
    eachRun(pixels, rings, (y, left, right) => {
      const from = Math.max(pixels.firstColumn(y), firstPixelFrom(left));
      const to = Math.min(pixels.endColumn(y), firstPixelFrom(right));
      const row = y * pixels.width;
      const nearAtRow = warp[7]! * (y + 0.5) + warp[8]!;
      const heightAtRow = warp[4]! * (y + 0.5) + warp[5]!;
      if (from < to && ink !== null) ink.row(from, y, to - from, inkRow);
      for (let x = from; x < to; x++) {
        const index = row + x;
        const near = Math.fround(nearAtRow + warp[6]! * (x + 0.5));
        if (near < nearest[index]! || (isOnce && drawn[index] !== 0)) continue;
        nearest[index] = near;
        drawn[index] = 1;
        const part = (heightAtRow + warp[3]! * (x + 0.5)) / near;
        const at = 4 * (x - from);
        pixels.blendColor(
          index,
          (r + dr * part) * (ink === null ? 255 : inkRow[at]!),
          (g + dg * part) * (ink === null ? 255 : inkRow[at + 1]!),
          (b + db * part) * (ink === null ? 255 : inkRow[at + 2]!),
          ink === null ? 1 : inkRow[at + 3]!,
          opacity,
        );
      }
    });
  }
}
