/** Draws flat faces in space, hiding what lies behind others, as a graphics card does. */
import type { FlatPoints } from '../../../spatial/flat.ts';
import type { Shade } from '../light.ts';
import { firstPixelFrom, type Pixels } from './pixels.ts';
import { eachRun } from './polygon.ts';

export interface Face {
  /** Outlines in device pixels, filled by the even-odd rule */
  rings: readonly FlatPoints[];
  /** 1 / distance at a pixel center: linear in x and y */
  nearness: Linear;
  /** Height above the lower edge at a pixel center, 0..1, times its `nearness` */
  height: Linear;
  /** Colors of the lower and the upper edge */
  lower: Shade;
  upper: Shade;
}

/** `x * column + y * row + origin` */
export interface Linear {
  x: number;
  y: number;
  origin: number;
}

/** The nearest surface of each pixel, for all layers of a picture. */
export class DepthBuffer {
  private readonly nearness: Float32Array;
  private readonly drawn: Uint8Array;
  private readonly pixels: Pixels;

  constructor(pixels: Pixels) {
    this.pixels = pixels;
    this.nearness = new Float32Array(pixels.width * pixels.height);
    this.drawn = new Uint8Array(pixels.width * pixels.height);
  }

  /** Draws faces; a later one hides an earlier one at the same distance. */
  drawOpaque(faces: readonly Face[]): void {
    for (const face of faces) this.drawFace(face, 1, false);
  }

  /** Draws only the nearest face of each pixel, and below faces that other layers drew there. */
  drawTranslucent(faces: readonly Face[], opacity: number): void {
    for (const face of faces) this.occlude(face);
    this.drawn.fill(0);
    for (const face of faces) this.drawFace(face, opacity, true);
  }

  private occlude({ rings, nearness }: Face): void {
    const { nearness: nearest, pixels } = this;
    eachRun(pixels, rings, (y, left, right) => {
      const from = Math.max(pixels.firstColumn(y), firstPixelFrom(left));
      const to = Math.min(pixels.endColumn(y), firstPixelFrom(right));
      const row = y * pixels.width;
      const atRow = nearness.origin + nearness.y * y;
      for (let x = from; x < to; x++) {
        const near = atRow + nearness.x * x;
        if (near > nearest[row + x]!) nearest[row + x] = near;
      }
    });
  }

  private drawFace(face: Face, opacity: number, isOnce: boolean): void {
    const { nearness: nearest, drawn, pixels } = this;
    const { rings, nearness, height, lower, upper } = face;
    const [r, g, b] = lower;
    const [dr, dg, db] = [upper[0] - r, upper[1] - g, upper[2] - b];
    const scale = 255 * opacity;
    eachRun(pixels, rings, (y, left, right) => {
      const from = Math.max(pixels.firstColumn(y), firstPixelFrom(left));
      const to = Math.min(pixels.endColumn(y), firstPixelFrom(right));
      const row = y * pixels.width;
      const nearAtRow = nearness.origin + nearness.y * y;
      const heightAtRow = height.origin + height.y * y;
      for (let x = from; x < to; x++) {
        const index = row + x;
        const near = Math.fround(nearAtRow + nearness.x * x);
        if (near < nearest[index]! || (isOnce && drawn[index] !== 0)) continue;
        nearest[index] = near;
        drawn[index] = 1;
        const part = (heightAtRow + height.x * x) / near;
        pixels.blendColor(
          index,
          (r + dr * part) * scale,
          (g + dg * part) * scale,
          (b + db * part) * scale,
          opacity,
          1,
        );
      }
    });
  }
}
