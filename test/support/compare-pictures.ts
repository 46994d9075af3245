/**
 * Measures how much two pictures differ, as MapLibre's render tests do: pixelmatch counts pixels
 * whose color differs perceptibly, except on antialiased edges, which each rasterizer smooths in its
 * own way.
 */
import pixelmatch from 'pixelmatch';
import sharp from 'sharp';

export interface PictureDifference {
  /** Share of pixels that differ perceptibly, 0 to 1; MapLibre's tests allow 0.00025 */
  share: number;
  /** Mean difference of all channels of all pixels, edges included, 0 to 255 */
  mean: number;
}

/** Share of the distance between black and white, as in MapLibre's tests */
const THRESHOLD = 0.1285;

/** @throws Error if the sizes differ */
export async function comparePictures(a: Buffer, b: Buffer): Promise<PictureDifference> {
  const [one, other] = await Promise.all([decode(a), decode(b)]);
  const { width, height } = one.info;
  if (width !== other.info.width || height !== other.info.height) {
    throw new Error(
      `the pictures measure ${width} x ${height} and ${other.info.width} x ${other.info.height}`,
    );
  }
  const options = { threshold: THRESHOLD };
  const differing = pixelmatch(one.data, other.data, undefined, width, height, options);
  let sum = 0;
  for (const [i, value] of one.data.entries()) sum += Math.abs(value - other.data[i]!);
  return { share: differing / (width * height), mean: sum / one.data.length };
}

/** Compares the pixels of two pictures, which may come from different encoders. */
export async function haveEqualPixels(a: Buffer, b: Buffer): Promise<boolean> {
  const [one, other] = await Promise.all([decode(a), decode(b)]);
  return one.info.width === other.info.width && one.data.equals(other.data);
}

function decode(png: Buffer) {
  return sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
}
