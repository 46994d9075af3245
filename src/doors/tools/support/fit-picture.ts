/** Limits the size of pictures in answers of tools. */

export interface PictureSize {
  /** CSS pixels */
  width: number;
  height: number;
  /** Pixels per CSS pixel */
  ratio: number;
}

/**
 * Largest number of pixels. It keeps answers under 1 MB, the limit of some clients: the most detailed maps of this size
 * have 600 kB, plus a third as base64. Models downscale pictures wider than 1,568 pixels.
 */
export const MAX_PIXELS = 1_600_000;

export const pixelsOf = ({ width, height, ratio }: PictureSize) => width * height * ratio ** 2;

/**
 * Returns the largest size with the same aspect ratio that fits. Lowers the pixel ratio first, because that keeps the
 * text in proportion to the map, and then the width and height.
 */
export function fitPicture(size: PictureSize): PictureSize {
  if (pixelsOf(size) <= MAX_PIXELS) return size;
  const { width, height } = size;
  const ratio = Math.sqrt(MAX_PIXELS / (width * height));
  if (ratio >= 1) return { width, height, ratio: Math.floor(ratio * 100) / 100 };
  return { width: Math.floor(width * ratio), height: Math.floor(height * ratio), ratio: 1 };
}
