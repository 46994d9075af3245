/** Reads colors between the pixels of an image. Beyond its edge, an image is transparent. */
import type { StyleImage } from '../../scene.ts';
import { RAMP_STEPS } from './distance-field.ts';
import type { Pixels } from './pixels.ts';
import type { Tint } from './ink.ts';
import type { DrawTexel } from './textured-quad.ts';

/** Positions this close to the edge of a pixel are on it. */
const ROUNDING = 1e-6;

/** Blends an image's nearest pixels. */
export function blendNearest(target: Pixels, image: StyleImage, opacity: number): DrawTexel {
  const { width, height, pixels } = image;
  const { bytes } = target;
  return (index, u, v) => {
    // SwiftShader counts 65,536ths of a texture's side, rounded down. So an edge between two pixels belongs
    // to the left and the upper one, unless the side divides that number.
    const x = Math.ceil(u - ROUNDING) - 1;
    const y = Math.ceil(v - ROUNDING) - 1;
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    const from = 4 * (y * width + x);
    const alpha = pixels[from + 3]! * opacity;
    if (alpha === 0) return;
    const backdropShare = 1 - alpha / 255;
    const to = 4 * index;
    for (let c = 0; c < 4; c++) {
      bytes[to + c] = pixels[from + c]! * opacity + bytes[to + c]! * backdropShare;
    }
  };
}

/** Blends an image, interpolated bilinearly. */
export function blendLinear(target: Pixels, image: StyleImage, opacity: number): DrawTexel {
  const { width, height, pixels } = image;
  const { bytes } = target;
  return (index, u, v) => {
    const x = Math.floor(u - 0.5);
    const y = Math.floor(v - 0.5);
    if (x < -1 || y < -1 || x >= width || y >= height) return;
    const tx = u - 0.5 - x;
    const ty = v - 0.5 - y;
    const at = 4 * (y * width + x);
    const [hasLeft, hasRight] = [x >= 0, x + 1 < width];
    const [hasTop, hasBottom] = [y >= 0, y + 1 < height];
    const below = at + 4 * width;
    let backdropShare = 0;
    const to = 4 * index;
    for (let c = 3; c >= 0; c--) {
      const topLeft = hasTop && hasLeft ? pixels[at + c]! : 0;
      const topRight = hasTop && hasRight ? pixels[at + 4 + c]! : 0;
      const bottomLeft = hasBottom && hasLeft ? pixels[below + c]! : 0;
      const bottomRight = hasBottom && hasRight ? pixels[below + 4 + c]! : 0;
      const upper = topLeft + (topRight - topLeft) * tx;
      const lower = bottomLeft + (bottomRight - bottomLeft) * tx;
      const value = (upper + (lower - upper) * ty) * opacity;
      if (c === 3) {
        if (value === 0) return;
        backdropShare = 1 - value / 255;
      }
      bytes[to + c] = value + bytes[to + c]! * backdropShare;
    }
  };
}

/**
 * Blends a tint where an image is a distance field.
 *
 * @param coverage by distance; see `ramp`
 */
export function blendField(
  target: Pixels,
  image: StyleImage,
  tint: Tint,
  coverage: Float32Array,
): DrawTexel {
  return (index, u, v) => {
    const share = coverage[Math.round(sampleAlpha(image, u, v) * RAMP_STEPS)]!;
    if (share > 0 && tint.alpha > 0) target.blend(index, tint, share);
  };
}

/** Interpolates the alpha channel bilinearly; returns 0 to 255. */
function sampleAlpha(image: StyleImage, u: number, v: number): number {
  const { width, height, pixels } = image;
  const x = Math.floor(u - 0.5);
  const y = Math.floor(v - 0.5);
  if (x < -1 || y < -1 || x >= width || y >= height) return 0;
  const tx = u - 0.5 - x;
  const ty = v - 0.5 - y;
  const at = 4 * (y * width + x) + 3;
  const below = at + 4 * width;
  const [hasLeft, hasRight] = [x >= 0, x + 1 < width];
  const topLeft = y >= 0 && hasLeft ? pixels[at]! : 0;
  const topRight = y >= 0 && hasRight ? pixels[at + 4]! : 0;
  const bottomLeft = y + 1 < height && hasLeft ? pixels[below]! : 0;
  const bottomRight = y + 1 < height && hasRight ? pixels[below + 4]! : 0;
  const upper = topLeft + (topRight - topLeft) * tx;
  const lower = bottomLeft + (bottomRight - bottomLeft) * tx;
  return upper + (lower - upper) * ty;
}
