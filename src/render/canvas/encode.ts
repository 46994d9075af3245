/** Pixels to a file. */
import type { Canvas } from '@napi-rs/canvas';
import sharp, { type Sharp } from 'sharp';
import type { PictureFormat } from '../scene.ts';

/** Half as many bytes as PNG, and no edge of a letter visibly frayed. */
const WEBP = { quality: 90, effort: 2 } as const;

/**
 * `opaque` says that no pixel is translucent: three channels then compress faster, and Skia's
 * premultiplied bytes are already what PNG wants. Otherwise they are divided by alpha first.
 *
 * Measured on 1200 x 800: sharp 10.5 ms (three channels) or 14 ms, the canvas's own encoder 42 ms;
 * WebP 37 ms.
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
