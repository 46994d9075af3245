/** Writes raster and elevation tiles as files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** Encodes a PNG whose pixels have the colors that `colorAt` returns. */
export function pngOf(
  width: number,
  height: number,
  colorAt: (x: number, y: number) => Rgba,
): Promise<Buffer> {
  const pixels = Array.from({ length: width * height }, (_, i) =>
    colorAt(i % width, Math.floor(i / width)),
  );
  const raw = { width, height, channels: 4 } as const;
  return sharp(Buffer.from(pixels.flat()), { raw }).png().toBuffer();
}

/** Encodes meters as Mapbox does, to 0.1 m. */
export function elevationColor(meters: number): Rgba {
  const steps = Math.round((meters + 10_000) * 10);
  return [steps >> 16, (steps >> 8) & 255, steps & 255, 255];
}

export function putFile(folder: string, path: string, bytes: Buffer): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
