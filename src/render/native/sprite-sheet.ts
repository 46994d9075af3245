/** Packs the images of a scene into a sprite, the format that the library loads. */
import type { StyleImage } from '../scene.ts';
import { sharp } from '../sharp.ts';
import { unpremultiply } from './unpremultiply.ts';

export interface SpriteSheet {
  /** JSON: position and properties of each image by name */
  index: Uint8Array;
  png: Uint8Array;
}

/** Empty pixels between images, so that scaling doesn't blend an image with its neighbor */
const GAP = 2;

export async function spriteSheet(
  images: Readonly<Record<string, StyleImage>>,
): Promise<SpriteSheet> {
  const entries: [name: string, entry: object][] = [];
  const parts: { input: Uint8Array; raw: object; left: number; top: number }[] = [];
  const size = { width: 1, height: 1 };
  for (const [name, { pixels, ...image }] of Object.entries(images)) {
    const { width, height } = image;
    const input = new Uint8Array(pixels);
    unpremultiply(input);
    entries.push([name, { ...image, x: size.width, y: 0 }]);
    parts.push({ input, raw: { width, height, channels: 4 }, left: size.width, top: 0 });
    size.width += width + GAP;
    size.height = Math.max(size.height, height);
  }
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const sheet = sharp({ create: { ...size, channels: 4, background } });
  const png = await sheet
    .composite(parts as Parameters<typeof sheet.composite>[0])
    .png()
    .toBuffer();
  return { index: Buffer.from(JSON.stringify(Object.fromEntries(entries))), png };
}
