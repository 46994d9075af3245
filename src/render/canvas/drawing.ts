/**
 * Drawings of Skia as runs of equal pixels. Cards have few colors, so they take a tenth of the memory of
 * pixels, and most of their pixels are blended as the one before.
 */

export interface Drawing {
  width: number;
  /** Length and premultiplied color of each run, row by row. No run continues on the next row. */
  runs: Int32Array;
}

/** @param pixels rows of premultiplied RGBA, one number for each pixel */
export function drawingOf(pixels: Int32Array, width: number): Drawing {
  const runs: number[] = [];
  for (let start = 0; start < pixels.length; start += width) {
    const end = start + width;
    for (let i = start; i < end;) {
      const color = pixels[i]!;
      let next = i + 1;
      while (next < end && pixels[next] === color) next++;
      runs.push(next - i, color);
      i = next;
    }
  }
  return { width, runs: Int32Array.from(runs) };
}

/**
 * Blends a drawing over a part of a picture.
 *
 * @param below rows of premultiplied RGBA
 */
export function blendDrawing(
  { width, runs }: Drawing,
  below: Uint8ClampedArray,
  pictureWidth: number,
  left: number,
  top: number,
): void {
  const words = new Int32Array(below.buffer, below.byteOffset, below.length / 4);
  let index = top * pictureWidth + left;
  let rowEnd = index + width;
  for (let i = 0; i < runs.length; i += 2) {
    const color = runs[i + 1]!;
    const end = index + runs[i]!;
    if (color === 0) index = end;
    const alpha = color >>> 24;
    const rest = 1 - alpha / 255;
    // Most pixels below equal the one before, too.
    let before = 0;
    let after = 0;
    for (let at = index; at < end; at++) {
      const word = words[at]!;
      if (word !== before || at === index) {
        const byte = 4 * at;
        below[byte] = (color & 255) + below[byte]! * rest;
        below[byte + 1] = ((color >>> 8) & 255) + below[byte + 1]! * rest;
        below[byte + 2] = ((color >>> 16) & 255) + below[byte + 2]! * rest;
        below[byte + 3] = alpha + below[byte + 3]! * rest;
        before = word;
        after = words[at]!;
      } else words[at] = after;
    }
    index = end;
    if (index === rowEnd) {
      index += pictureWidth - width;
      rowEnd += pictureWidth;
    }
  }
}
