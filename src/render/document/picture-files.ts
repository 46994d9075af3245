/** Reads and decodes pictures: raster tiles, image sources, and sheets of sprites. */
import { STYLE_ASSETS } from './bounds.ts';
import { InvalidSceneError } from '../errors.ts';
import type { PictureData } from '../scene.ts';
import { sharp } from '../sharp.ts';
import type { Assets } from './assets.ts';
import { pictureFormat } from './picture-format.ts';

/** Reads the pictures of one style, up to a total number of pixels. */
export class Pictures {
  private readonly assets: Assets;
  private pixelsLeft = STYLE_ASSETS.rasterPixels;

  constructor(assets: Assets) {
    this.assets = assets;
  }

  /**
   * Returns null if the file does not exist.
   *
   * @param property the property with this address, for messages
   * @param encodes colors, or data such as elevations, where every bit counts
   * @throws InvalidSceneError if the file isn't a picture, or exceeds the limit
   */
  async read(
    address: string,
    property: string,
    encodes: 'colors' | 'data' = 'colors',
  ): Promise<PictureData | null> {
    const bytes = await this.assets.readBytes(address, property);
    return bytes === null ? null : this.decode(bytes, `${property} (${address})`, encodes);
  }

  /** @throws InvalidSceneError in the cases of `read`, and if the file doesn't exist */
  async readExisting(address: string, property: string): Promise<PictureData> {
    const bytes = await this.assets.readExisting(address, property);
    return this.decode(bytes, `${property} (${address})`, 'colors');
  }

  /**
   * @param name of the picture, for messages
   * @throws InvalidSceneError if the bytes aren't a picture, or exceed the limit
   */
  async decode(bytes: Uint8Array, name: string, encodes: 'colors' | 'data'): Promise<PictureData> {
    if (pictureFormat(bytes) === null)
      throw unreadablePicture(name, 'its first bytes are of another format');
    try {
      return await decodePicture(bytes, encodes, (pixels) => this.count(pixels));
    } catch (error) {
      if (error instanceof InvalidSceneError) throw error;
      const [cause] = (error as Error).message.split('\n');
      throw unreadablePicture(name, cause!);
    }
  }

  private count(pixels: number): void {
    this.pixelsLeft -= pixels;
    if (this.pixelsLeft >= 0) return;
    const limit = STYLE_ASSETS.rasterPixels.toLocaleString('en');
    throw new InvalidSceneError([
      `the raster tiles and images of the style have more than ${limit} pixels in all: ` +
        'use smaller images or draw a smaller area',
    ]);
  }
}

/**
 * Decodes a picture of any format that sharp reads.
 *
 * @param count is called with the number of pixels before they take memory, and may throw
 * @throws Error if the bytes aren't a picture
 */
export async function decodePicture(
  bytes: Uint8Array,
  encodes: 'colors' | 'data',
  count: (pixels: number) => void = () => {},
): Promise<PictureData> {
  const input = sharp(bytes, { limitInputPixels: false, ignoreIcc: encodes === 'data' });
  const { width, height } = await input.metadata();
  count(width * height);
  const { data, info } = await input
    .autoOrient()
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const pixels = new Uint8ClampedArray(new SharedArrayBuffer(data.length));
  (encodes === 'data' ? copyOpaque : copyPremultiplied)(data, pixels);
  return { width: info.width, height: info.height, pixels };
}

const unreadablePicture = (name: string, cause: string) =>
  new InvalidSceneError([
    `${name} isn't a PNG, JPEG, WebP, AVIF, or GIF picture: export it again. Cause: ${cause}`,
  ]);

function copyPremultiplied(from: Uint8Array, to: Uint8ClampedArray): void {
  for (let i = 0; i < from.length; i += 4) {
    const alpha = from[i + 3]!;
    const share = alpha / 255;
    for (let c = i; c < i + 3; c++) to[c] = from[c]! * share;
    to[i + 3] = alpha;
  }
}

function copyOpaque(from: Uint8Array, to: Uint8ClampedArray): void {
  to.set(from);
  for (let i = 3; i < to.length; i += 4) to[i] = 255;
}
