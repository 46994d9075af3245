/** Filters rows so that more of their bytes repeat (PNG, section 9). */

interface Rows {
  /** One for each pixel: red in the lowest byte, then green, blue, and alpha */
  pixels: Int32Array;
  width: number;
  height: number;
  /** 3 omits alpha */
  channels: 3 | 4;
}

export interface FilteredRows extends Rows {
  /** Filter type of all rows: the byte before each row */
  filter: typeof NONE | typeof UP;
}

const NONE = 0;
const UP = 2;

/** One in this many rows is examined. */
const STEP = 32;

/**
 * Filters pictures of textures, such as imagery and hillshades. Measured: differences from the row above
 * take 27% to 98% of their bytes, but 113% to 139% of a map's, where edges repeat colors.
 */
export function filterRows(rows: Rows): FilteredRows {
  if (isTextured(rows)) {
    const filtered: FilteredRows = { ...rows, pixels: subtractAbove(rows), filter: UP };
    if (entropy(filtered) < entropy(rows)) return filtered;
  }
  return { ...rows, filter: NONE };
}

/** Whether most pixels are unlike the pixels above and to the left */
function isTextured({ pixels, width, height }: Rows): boolean {
  let unlike = 0;
  let examined = 0;
  for (let y = STEP; y < height; y += STEP) {
    for (let i = y * width + 1; i < (y + 1) * width; i++) {
      const pixel = pixels[i];
      if (pixel !== pixels[i - 1] && pixel !== pixels[i - width]) unlike++;
    }
    examined += width;
  }
  return 2 * unlike > examined;
}

/** Subtracts the four bytes of the pixel above from those of each pixel, modulo 256, at once. */
function subtractAbove({ pixels, width }: Rows): Int32Array {
  const differences = pixels.slice();
  for (let i = width; i < pixels.length; i++) {
    const pixel = pixels[i]!;
    const above = pixels[i - width]!;
    // With their highest bits set, bytes don't borrow from each other.
    const low = (pixel | 0x80808080) - (above & 0x7f7f7f7f);
    differences[i] = low ^ ((pixel ^ ~above) & 0x80808080);
  }
  return differences;
}

/** Estimates how many bits the bytes take if nothing repeats. */
function entropy({ pixels, width, height }: Rows): number {
  const frequencies = new Uint32Array(256);
  for (let y = STEP; y < height; y += STEP) {
    for (let i = y * width; i < (y + 1) * width; i++) {
      for (let shift = 0; shift < 24; shift += 8) frequencies[(pixels[i]! >>> shift) & 255]!++;
    }
  }
  const total = frequencies.reduce((sum, count) => sum + count);
  return frequencies.reduce((sum, n) => sum + (n > 0 ? n * Math.log2(total / n) : 0), 0);
}
