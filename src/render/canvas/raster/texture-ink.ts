/** Reads textures as graphics cards do: the edge's colors continue beyond the edge. */
import type { Ink } from './ink.ts';
import type { PictureData } from '../../scene.ts';
import type { Texture } from './texture.ts';
import { isAffine, type Warp } from './warp.ts';

/** Whether a texture's colors are interpolated */
export type Resampling = 'linear' | 'nearest';

export interface Sampling {
  /** For parts where a texture is enlarged */
  enlarging: Resampling;
  /** For parts where it is shrunk */
  shrinking: Resampling;
  /**
   * Most reads per pixel where a texture is shrunk more in one direction than in the other. With 1, it gets
   * blurred in the other direction instead.
   */
  maxReads: number;
}

/** Paints a warped texture. */
export class TextureInk implements Ink {
  private readonly texture: Texture;
  private readonly warp: Warp;
  private readonly sampling: Sampling;
  /** Results of `measure`: the copy of the texture to read, and how */
  private copy: PictureData;
  private read: typeof readLinear;
  /** How often to read along a direction that spans the pixel */
  private reads = 1;
  private spanU = 0;
  private spanV = 0;
  private readonly color = new Float32Array(4);

  constructor(texture: Texture, warp: Warp, sampling: Sampling) {
    this.texture = texture;
    this.warp = warp;
    this.sampling = sampling;
    this.copy = texture.full;
    this.read = readLinear;
  }

  row(x: number, y: number, count: number, out: Float32Array): void {
    const { warp } = this;
    let u = warp[0]! * (x + 0.5) + warp[1]! * (y + 0.5) + warp[2]!;
    let v = warp[3]! * (x + 0.5) + warp[4]! * (y + 0.5) + warp[5]!;
    let w = warp[6]! * (x + 0.5) + warp[7]! * (y + 0.5) + warp[8]!;
    this.measure(u, v, w);
    const isMeasured = isAffine(warp);
    if (isMeasured && warp[3] === 0 && this.read === readLinear && this.reads === 1) {
      return readRow(this.copy, u / w, warp[0]! / w, v / w, count, out);
    }
    for (let i = 0; i < 4 * count; i += 4) {
      if (!isMeasured) this.measure(u, v, w);
      if (this.reads === 1) this.read(this.copy, u / w, v / w, out, i);
      else this.readSpan(u / w, v / w, out, i);
      u += warp[0]!;
      v += warp[3]!;
      w += warp[6]!;
    }
  }

  /** Averages several reads. */
  private readSpan(u: number, v: number, out: Float32Array, at: number): void {
    const { reads, spanU, spanV, color } = this;
    out[at] = out[at + 1] = out[at + 2] = out[at + 3] = 0;
    for (let i = 0; i < reads; i++) {
      const part = (i + 0.5) / reads - 0.5;
      this.read(this.copy, u + spanU * part, v + spanV * part, color, 0);
      for (let c = 0; c < 4; c++) out[at + c] = out[at + c]! + color[c]! / reads;
    }
  }

  /**
   * Measures the texture at a pixel, from the warp there. Its size selects the copy. As in the OpenGL
   * extension EXT_texture_filter_anisotropic, an elongated pixel is read several times along its length,
   * from a copy that suits its width.
   */
  private measure(u: number, v: number, w: number): void {
    const { warp, texture, sampling } = this;
    const { width, height } = texture.full;
    // Steps in the texture for a step right and a step down in the picture
    const uRight = (warp[0]! * w - u * warp[6]!) / (w * w);
    const vRight = (warp[3]! * w - v * warp[6]!) / (w * w);
    const uDown = (warp[1]! * w - u * warp[7]!) / (w * w);
    const vDown = (warp[4]! * w - v * warp[7]!) / (w * w);
    const right = (uRight * width) ** 2 + (vRight * height) ** 2;
    const down = (uDown * width) ** 2 + (vDown * height) ** 2;
    const isRightward = right > down;
    const squared = isRightward ? right : down;
    const area = Math.abs(uRight * vDown - uDown * vRight) * width * height;
    const ratio = Math.min(squared / area, sampling.maxReads);
    const detail = Math.log2(squared / (ratio * ratio)) / 2;
    this.reads = Math.round(ratio);
    this.spanU = isRightward ? uRight : uDown;
    this.spanV = isRightward ? vRight : vDown;
    this.copy = texture.at(detail);
    const resampling = detail > 0 ? sampling.shrinking : sampling.enlarging;
    this.read = resampling === 'linear' ? readLinear : readNearest;
  }
}

/**
 * Writes the interpolated colors of `count` positions, `du` apart. Optimized for speed, since nearly all
 * textures are upright.
 */
function readRow(
  { width, height, pixels }: PictureData,
  u: number,
  du: number,
  v: number,
  count: number,
  out: Float32Array,
): void {
  const y = v * height - 0.5;
  const row = Math.floor(y);
  const below = y - row;
  const above = 1 - below;
  const upper = 4 * width * Math.max(0, Math.min(height - 1, row));
  const lower = 4 * width * Math.max(0, Math.min(height - 1, row + 1));
  const last = width - 1;
  for (let i = 0; i < 4 * count; i += 4) {
    const x = (u + (i / 4) * du) * width - 0.5;
    const column = Math.floor(x);
    const right = x - column;
    const x0 = 4 * (column < 0 ? 0 : column > last ? last : column);
    const x1 = 4 * (column < -1 ? 0 : column >= last ? last : column + 1);
    const b = right * above;
    const a = above - b;
    const d = right * below;
    const c = below - d;
    const p = upper + x0;
    const q = upper + x1;
    const r = lower + x0;
    const s = lower + x1;
    out[i] = pixels[p]! * a + pixels[q]! * b + pixels[r]! * c + pixels[s]! * d;
    out[i + 1] = pixels[p + 1]! * a + pixels[q + 1]! * b + pixels[r + 1]! * c + pixels[s + 1]! * d;
    out[i + 2] = pixels[p + 2]! * a + pixels[q + 2]! * b + pixels[r + 2]! * c + pixels[s + 2]! * d;
    const alpha = pixels[p + 3]! * a + pixels[q + 3]! * b + pixels[r + 3]! * c + pixels[s + 3]! * d;
    out[i + 3] = alpha / 255;
  }
}

/** Writes the interpolated color at a position (0 to 1) to `out[at]` and following. */
function readLinear(
  { width, height, pixels }: PictureData,
  u: number,
  v: number,
  out: Float32Array,
  at: number,
): void {
  const x = u * width - 0.5;
  const y = v * height - 0.5;
  const column = Math.floor(x);
  const row = Math.floor(y);
  const right = x - column;
  const below = y - row;
  const x0 = 4 * Math.max(0, Math.min(width - 1, column));
  const x1 = 4 * Math.max(0, Math.min(width - 1, column + 1));
  const y0 = 4 * width * Math.max(0, Math.min(height - 1, row));
  const y1 = 4 * width * Math.max(0, Math.min(height - 1, row + 1));
  const a = (1 - right) * (1 - below);
  const b = right * (1 - below);
  const c = (1 - right) * below;
  const d = right * below;
  for (let i = 0; i < 4; i++) {
    out[at + i] =
      pixels[y0 + x0 + i]! * a +
      pixels[y0 + x1 + i]! * b +
      pixels[y1 + x0 + i]! * c +
      pixels[y1 + x1 + i]! * d;
  }
  out[at + 3] = out[at + 3]! / 255;
}

/** Writes the color of the pixel at a position. */
function readNearest(
  { width, height, pixels }: PictureData,
  u: number,
  v: number,
  out: Float32Array,
  at: number,
): void {
  const column = Math.max(0, Math.min(width - 1, Math.floor(u * width)));
  const row = Math.max(0, Math.min(height - 1, Math.floor(v * height)));
  const from = 4 * (row * width + column);
  for (let i = 0; i < 3; i++) out[at + i] = pixels[from + i]!;
  out[at + 3] = pixels[from + 3]! / 255;
}
