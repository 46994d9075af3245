/**
 * Splits rows into matches, which repeat earlier pixels, and literal pixels, which don't (RFC 1951, section
 * 4).
 */
import type { FilteredRows } from './filter.ts';
import { KeptMemory } from './kept-memory.ts';

export interface Matches {
  /**
   * A number of literal pixels, and a match after them:
   * `literals << 22 | pixels << 15 | distance - 1`, with the distance in bytes. `pixels` may be 0.
   */
  tokens: Int32Array;
  /** The literal pixels, last first */
  literals: Int32Array;
  /** Adler-32 of the rows (RFC 1950, section 8) */
  checksum: number;
}

/** Lengths and distances in bytes (RFC 1951, section 2) */
export const MAX_LENGTH = 258;
const WINDOW = 32_768;

const MAX_LITERALS = 1023;

/** The largest prime below 2^16 */
const ADLER = 65_521;

/**
 * Position of the latest pixel of each color, by a hash of the color. 16 kB fit the processor's nearest
 * cache.
 */
const HASH_BITS = 12;
const latest = new Int32Array(1 << HASH_BITS);

const memory = new KeptMemory();

/**
 * Compares each pixel with the one to the left, the one above, and the latest of its color. Where they are
 * equal, it copies as many pixels as match. The result is valid until the next call.
 */
export function findMatches({ pixels, width, height, channels, filter }: FilteredRows): Matches {
  // Room for a token or literal per pixel, and for tokens without a match. Tokens start at the front of the
  // memory, literals at the end.
  const size = pixels.length + Math.ceil(pixels.length / MAX_LITERALS) + height;
  const found = new Int32Array(memory.acquire(4 * size), 0, size);
  let tokens = 0;
  let literals = size;
  const rowBytes = channels * width + 1;
  const maxPixels = Math.floor(MAX_LENGTH / channels);
  const inverseWidth = 1 / width;
  latest.fill(-1);
  let [low, high] = [1, 0];
  // Sum of a row's bytes, and the sum weighted by their distances from the row's end
  let sum: number = filter;
  let weighted = filter * rowBytes;

  for (let y = 0; y < height; y++) {
    const row = y * width;
    const end = row + width;
    const canCopyAbove = y > 0 && rowBytes <= WINDOW;
    const oldest = Math.max(0, row - Math.floor(WINDOW / rowBytes) * width);
    let left = ~pixels[row]!;
    let firstLiteral = row;
    for (let i = row; i < end;) {
      const pixel = pixels[i]!;
      let next = i + 1;
      let distance = 0;
      let isAbove = false;
      if (pixel === left) {
        while (next < end && pixels[next] === pixel) next++;
        distance = channels;
      } else if (canCopyAbove && pixel === pixels[i - width]) {
        while (next < end && pixels[next] === pixels[next - width]) next++;
        distance = rowBytes;
        isAbove = true;
      } else {
        const hash = Math.imul(pixel, 0x9e3779b1) >>> (32 - HASH_BITS);
        const same = latest[hash]!;
        latest[hash] = i;
        if (same >= oldest && pixels[same] === pixel) {
          // Adding half a pixel keeps rounding from changing the row.
          const rowsUp = ((row - same + width - 0.5) * inverseWidth) | 0;
          const bytes = channels * (i - same) + rowsUp;
          if (bytes <= WINDOW) {
            const sourceEnd = row - rowsUp * width + width;
            let source = same + 1;
            while (next < end && source < sourceEnd && pixels[next] === pixels[source]) {
              next++;
              source++;
            }
            distance = bytes;
          }
        }
      }
      left = pixels[next - 1]!;

      if (!isAbove) {
        // Update the sums of the row above by the pixels that differ.
        for (let x = i; x < next; x++) {
          const value = pixels[x]!;
          const above = y > 0 ? pixels[x - width]! : 0;
          if (value === above) continue;
          const red = (value & 255) - (above & 255);
          const green = ((value >>> 8) & 255) - ((above >>> 8) & 255);
          const blue = ((value >>> 16) & 255) - ((above >>> 16) & 255);
          const alpha = channels === 3 ? 0 : (value >>> 24) - (above >>> 24);
          const all = red + green + blue + alpha;
          sum += all;
          weighted += channels * (end - x) * all - green - 2 * blue - 3 * alpha;
        }
      }

      if (distance === 0) {
        found[--literals] = pixel;
        if (next === end || next - firstLiteral === MAX_LITERALS) {
          found[tokens++] = (next - firstLiteral) << 22;
          firstLiteral = next;
        }
      } else {
        let before = i - firstLiteral;
        let matched = next - i;
        for (; matched > maxPixels; matched -= maxPixels) {
          found[tokens++] = (before << 22) | (maxPixels << 15) | (distance - 1);
          before = 0;
        }
        found[tokens++] = (before << 22) | (matched << 15) | (distance - 1);
        firstLiteral = next;
      }
      i = next;
    }
    high = (high + rowBytes * low + weighted) % ADLER;
    low = (low + sum) % ADLER;
  }
  return {
    tokens: found.subarray(0, tokens),
    literals: found.subarray(literals),
    checksum: high * 65_536 + low,
  };
}
