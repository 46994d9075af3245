/** Encodes pictures as PNG or WebP. */
import type { Canvas } from '@napi-rs/canvas';
import type { Sharp } from 'sharp';
import type { PictureFormat } from '../scene.ts';
import { sharp } from '../sharp.ts';

/** Half the bytes of PNG, without visible artifacts around letters. */
const WEBP = { quality: 90, effort: 2 } as const;

/**
 * Encodes a canvas. If it is opaque, three channels compress faster, and Skia's premultiplied bytes
 * need no division by alpha.
 *
 * Measured at 1200 x 800: sharp takes 10.5 ms with three channels and 14 ms with four; the canvas's
 * own encoder takes 42 ms; WebP takes 37 ms.
 *
 * @param opaque whether every pixel is opaque
 */
export function encode(canvas: Canvas, opaque: boolean, format: PictureFormat): Promise<Buffer> {
  const { width, height } = canvas;
  const raw = { width, height, channels: 4 } as const;
  const image = opaque
    ? sharp(canvas.data(), { raw }).removeAlpha()
    : sharp(canvas.getContext('2d').getImageData(0, 0, width, height).data, { raw });
  return encodeImage(image, format);
}

export function encodeImage(image: Sharp, format: PictureFormat): Promise<Buffer> {
  return format === 'webp'
    ? image.webp(WEBP).toBuffer()
    : image.png({ compressionLevel: 3 }).toBuffer();
}
