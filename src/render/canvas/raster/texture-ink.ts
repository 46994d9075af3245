/** Reads textures as graphics cards do: the edge's colors continue beyond the edge. */
import type { Ink } from './ink.ts';
import type { PictureData } from '../../scene.ts';
import type { Texture } from './texture.ts';
import { detailAt, isAffine, type Warp } from './warp.ts';

/** Whether a texture's colors are interpolated */
export type Resampling = 'linear' | 'nearest';

/** Writes the color at a position (0 to 1) to `out[at]` and following. */
type Read = (picture: PictureData, u: number, v: number, out: Float32Array, at: number) => void;

/** Paints a warped texture. */
export class TextureInk implements Ink {
  private readonly texture: Texture;
  private readonly warp: Warp;
  private readonly enlarge: Read;
  private readonly shrink: Read;

  /** @param shrinking how a shrunk texture is read */
  constructor(
    texture: Texture,
    warp: Warp,
    enlarging: Resampling,
    shrinking: Resampling = 'linear',
  ) {
    this.texture = texture;
    this.warp = warp;
    this.enlarge = READ[enlarging];
    this.shrink = READ[shrinking];
  }

  row(x: number, y: number, count: number, out: Float32Array): void {
    const { warp, texture } = this;
    const { width, height } = texture.full;
    let u = warp[0]! * (x + 0.5) + warp[1]! * (y + 0.5) + warp[2]!;
    let v = warp[3]! * (x + 0.5) + warp[4]! * (y + 0.5) + warp[5]!;
    let w = warp[6]! * (x + 0.5) + warp[7]! * (y + 0.5) + warp[8]!;
    const isLevel = isAffine(warp);
    let detail = detailAt(warp, u, v, w, width, height);
    for (let i = 0; i < 4 * count; i += 4) {
      if (!isLevel) detail = detailAt(warp, u, v, w, width, height);
      const texels = texture.at(detail);
      if (detail > 0) this.shrink(texels, u / w, v / w, out, i);
      else this.enlarge(texels, u / w, v / w, out, i);
      u += warp[0]!;
      v += warp[3]!;
      w += warp[6]!;
    }
  }
}

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

const READ: Record<Resampling, Read> = { linear: readLinear, nearest: readNearest };
