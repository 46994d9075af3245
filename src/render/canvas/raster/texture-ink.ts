/** Reads textures as graphics cards do: the edge's colors continue beyond the edge. */
import type { Ink } from './ink.ts';
import type { PictureData } from '../../scene.ts';
import type { Texture } from './texture.ts';
import { detailAt, isAffine, type Warp } from './warp.ts';

/** Whether a texture's colors are interpolated */
export type Resampling = 'linear' | 'nearest';

/** Paints a warped texture. */
export class TextureInk implements Ink {
  private readonly texture: Texture;
  private readonly warp: Warp;
  private readonly enlarging: Resampling;
  private readonly shrinking: Resampling;

  /** @param shrinking how a shrunk texture is read */
  constructor(
    texture: Texture,
    warp: Warp,
    enlarging: Resampling,
    shrinking: Resampling = 'linear',
  ) {
    this.texture = texture;
    this.warp = warp;
    this.enlarging = enlarging;
    this.shrinking = shrinking;
  }

  row(x: number, y: number, count: number, out: Float32Array): void {
    const { warp, texture } = this;
    const { width, height } = texture.full;
    let u = warp[0]! * (x + 0.5) + warp[1]! * (y + 0.5) + warp[2]!;
    let v = warp[3]! * (x + 0.5) + warp[4]! * (y + 0.5) + warp[5]!;
    let w = warp[6]! * (x + 0.5) + warp[7]! * (y + 0.5) + warp[8]!;
    const hasOneDetail = isAffine(warp);
    let detail = detailAt(warp, u, v, w, width, height);
    if (hasOneDetail && warp[3] === 0 && this.resamplingAt(detail) === 'linear') {
      return readRow(texture.at(detail), u / w, warp[0]! / w, v / w, count, out);
    }
    for (let i = 0; i < 4 * count; i += 4) {
      if (!hasOneDetail) detail = detailAt(warp, u, v, w, width, height);
      const isLinear = this.resamplingAt(detail) === 'linear';
      (isLinear ? readLinear : readNearest)(texture.at(detail), u / w, v / w, out, i);
      u += warp[0]!;
      v += warp[3]!;
      w += warp[6]!;
    }
  }

  private resamplingAt(detail: number): Resampling {
    return detail > 0 ? this.shrinking : this.enlarging;
  }
}

/**
 * Writes the interpolated colors of `count` positions, `du` apart. As fast as it gets: nearly all textures
 * are upright.
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
