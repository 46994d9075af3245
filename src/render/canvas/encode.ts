/** Encodes pictures as PNG or WebP. */
import type { Sharp } from 'sharp';
import type { PictureFormat } from '../scene.ts';
import { sharp } from '../sharp.ts';

/** Half the bytes of PNG, without visible artifacts around letters. */
const WEBP = { quality: 90, effort: 2 } as const;

export interface RawPicture {
  width: number;
  height: number;
  /** Rows of RGBA from the top down, with colors divided by alpha */
  bytes: Uint8Array | Uint8ClampedArray;
  /** Whether every pixel is opaque. Three channels compress faster than four. */
  opaque: boolean;
}

/**
 * Encodes a picture. Its bytes must not change until then.
 *
 * Measured at 1200 x 800: sharp takes 10.5 ms with three channels and 14 ms with four; the canvas's
 * own encoder takes 42 ms; WebP takes 37 ms.
 */
export function encode(picture: RawPicture, format: PictureFormat): Promise<Buffer> {
  const { width, height, bytes, opaque } = picture;
  const pixels = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const image = sharp(pixels, { raw: { width, height, channels: 4 } });
  return encodeImage(opaque ? image.removeAlpha() : image, format);
}

export function encodeImage(image: Sharp, format: PictureFormat): Promise<Buffer> {
  return format === 'webp'
    ? image.webp(WEBP).toBuffer()
    : image.png({ compressionLevel: 3 }).toBuffer();
}
