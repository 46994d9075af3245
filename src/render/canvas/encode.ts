/** Pixels to PNG. */
import type { Canvas } from '@napi-rs/canvas';
import sharp from 'sharp';

/**
 * `opaque` says that no pixel is translucent: three channels then compress faster, and Skia's
 * premultiplied bytes are already what PNG wants. Otherwise they are divided by alpha first.
 *
 * Measured on 1200 x 800: sharp 10.5 ms (three channels) or 14 ms, the canvas's own encoder 42 ms.
 */
export function encodePng(canvas: Canvas, opaque: boolean): Promise<Buffer> {
  const { width, height } = canvas;
  const raw = { width, height, channels: 4 } as const;
  const image = opaque
    ? sharp(canvas.data(), { raw }).removeAlpha()
    : sharp(canvas.getContext('2d').getImageData(0, 0, width, height).data, { raw });
  return image.png({ compressionLevel: 3 }).toBuffer();
}
