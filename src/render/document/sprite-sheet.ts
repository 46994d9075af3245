/** Cuts the images of a sprite out of its sheet. */
import type { PictureData, StyleImage } from '../scene.ts';
import type { SpriteEntry } from './sprite-index.ts';

/** Returns copies of the images in shared memory, so that workers need no copies of their own. */
export function cutSheet(
  entries: readonly [name: string, entry: SpriteEntry][],
  sheet: PictureData,
): [name: string, image: StyleImage][] {
  const total = entries.reduce((sum, [, { width, height }]) => sum + width * height, 0);
  const bytes = new Uint8ClampedArray(new SharedArrayBuffer(4 * total));
  let end = 0;
  return entries.map(([name, { x, y, ...image }]) => {
    const { width, height } = image;
    const pixels = bytes.subarray(end, (end += 4 * width * height));
    for (let row = 0; row < height; row++) {
      const from = 4 * ((y + row) * sheet.width + x);
      pixels.set(sheet.pixels.subarray(from, from + 4 * width), 4 * row * width);
    }
    return [name, { ...image, pixels }];
  });
}
