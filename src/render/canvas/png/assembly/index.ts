/**
 * The loops of the PNG encoder that visit every pixel, in AssemblyScript. `../deflate.ts` supplies a block of
 * rows; `findMatches` splits it into matches, which repeat earlier pixels, and literal pixels, which don't
 * (RFC 1951, section 4), and counts symbols. `../deflate.ts` makes their codes, and `appendRows` writes them.
 */

import { CODES, COUNTS, DISTANCES, HASH_BITS, LATEST, LENGTHS, OUTPUT } from '../kernel-memory';

/** Lengths in bytes, and distances (RFC 1951, section 2) */
const MAX_LENGTH: u32 = 258;
const WINDOW: u32 = 32_768;

const MAX_LITERALS: u32 = 1023;

/** The largest prime below 2^16 (RFC 1950, section 8.2) */
const ADLER: u64 = 65_521;
/** The sums of so many pixels fit 32 bits. */
const CHECKSUM_BYTES: usize = 16_384;

const HASH_FACTOR: u32 = 0x9e3779b1;

/** The last vector of four pixels may reach this far beyond them. */
const SLACK: usize = 16;

let width: u32 = 0;
let channels: u32 = 0;
let filter: u32 = 0;
/** First pixel of the block, after the rows above that it may copy */
let pixels: usize = 0;
/** Number of rows above the block, in the whole picture */
let rowsAbove: u32 = 0;

/**
 * A number of literal pixels, and a match after them:
 * `literals << 22 | pixels << 15 | distance - 1`, with the distance in bytes. `pixels` may be 0.
 */
let tokens: usize = 0;
let endOfTokens: usize = 0;

// Adler-32 (RFC 1950, section 8)
let low: u64 = 0;
let high: u64 = 0;

/** Where the next whole byte goes, and the bits after it, the lowest first (RFC 1951, section 3.1.1) */
let output: usize = 0;
let pending: u64 = 0;
let pendingBits: u64 = 0;

/**
 * Begins a picture.
 *
 * @param blockRows the most rows of a block
 * @param copiedRows rows above a block that are supplied with it
 * @param outputBytes the most bytes of a block
 * @returns where the rows of a block begin
 */
export function begin(
  pictureWidth: u32,
  pictureChannels: u32,
  pictureFilter: u32,
  blockRows: u32,
  copiedRows: u32,
  outputBytes: usize,
): usize {
  width = pictureWidth;
  channels = pictureChannels;
  filter = pictureFilter;
  rowsAbove = 0;
  low = 1;
  high = 0;
  pending = 0;
  pendingBits = 0;

  const stride = width << 2;
  const copied = (<usize>OUTPUT + outputBytes + 15) & ~15;
  pixels = copied + copiedRows * stride;
  tokens = pixels + blockRows * stride + SLACK;
  // A token for each pixel at worst
  reserve(tokens + blockRows * stride);
  memory.fill(LATEST, 0xff, 4 << HASH_BITS);
  beginBlock();
  return pixels;
}

function reserve(bytes: usize): void {
  const missing = <i32>((bytes + 0xffff) >>> 16) - memory.size();
  if (missing > 0 && memory.grow(missing) < 0) unreachable();
}

/** Bytes of a row with its filter type */
function rowBytes(): u32 {
  return channels * width + 1;
}

/**
 * Finds the matches of the next rows, and counts their symbols. Compares each pixel with the one to the left,
 * the one above, and the latest of its color. Where they are equal, it copies as many pixels as match.
 */
export function findMatches(rows: u32): void {
  const stride = width << 2;
  const distanceAbove = rowBytes();
  const windowRows = WINDOW / distanceAbove;
  const maxPixels = MAX_LENGTH / channels;
  const firstIndex = rowsAbove * width;
  let token = tokens;
  for (let y: u32 = 0; y < rows; y++) {
    const row = pixels + y * stride;
    const end = row + stride;
    const rowIndex = firstIndex + y * width;
    const canCopyAbove = windowRows > 0 && rowsAbove + y > 0;
    const oldest = rowIndex - min(rowsAbove + y, windowRows) * width;
    let left = ~load<u32>(row);
    let literals = row;
    for (let at = row; at < end;) {
      const pixel = load<u32>(at);
      let next = at + 4;
      let distance: u32 = 0;
      if (pixel == left) {
        next = endOfRun(next, end, pixel);
        distance = channels;
      } else if (canCopyAbove && pixel == load<u32>(at - stride)) {
        next = endOfCopy(next, next - stride, end);
        distance = distanceAbove;
      } else {
        const index = rowIndex + <u32>((at - row) >>> 2);
        const entry = LATEST + (((pixel * HASH_FACTOR) >>> (32 - HASH_BITS)) << 2);
        const same = load<u32>(entry);
        store<u32>(entry, index);
        // No pixel yet is the highest number.
        if (same < index && same >= oldest) {
          const source = at - ((<usize>(index - same)) << 2);
          const rowsUp = (rowIndex + width - 1 - same) / width;
          const bytes = channels * (index - same) + rowsUp;
          if (load<u32>(source) == pixel && bytes <= WINDOW) {
            const sourceEnd = end - rowsUp * stride;
            next = endOfCopy(next, source + 4, min(end, at + (sourceEnd - source)));
            distance = bytes;
          }
        }
      }
      left = load<u32>(next - 4);

      if (distance == 0) {
        count(COUNTS, pixel & 255);
        count(COUNTS, (pixel >>> 8) & 255);
        count(COUNTS, (pixel >>> 16) & 255);
        if (channels == 4) count(COUNTS, pixel >>> 24);
        const length = <u32>((next - literals) >>> 2);
        if (next == end || length == MAX_LITERALS) {
          store<u32>(token, length << 22);
          token += 4;
          literals = next;
        }
      } else {
        let before = <u32>((at - literals) >>> 2);
        let matched = <u32>((next - at) >>> 2);
        const symbol = distanceSymbol(distance - 1);
        for (; matched > maxPixels; matched -= maxPixels) {
          store<u32>(token, (before << 22) | (maxPixels << 15) | (distance - 1));
          token += 4;
          before = 0;
          count(COUNTS + LENGTHS, maxPixels);
          count(COUNTS + DISTANCES, symbol);
        }
        store<u32>(token, (before << 22) | (matched << 15) | (distance - 1));
        token += 4;
        count(COUNTS + LENGTHS, matched);
        count(COUNTS + DISTANCES, symbol);
        literals = next;
      }
      at = next;
    }
    count(COUNTS, filter);
    addToChecksum(row);
  }
  endOfTokens = token;
  rowsAbove += rows;
}

/** Returns where pixels stop being equal to `pixel`. */
function endOfRun(from: usize, end: usize, pixel: u32): usize {
  const four = i32x4.splat(pixel);
  for (let at = from; at < end; at += 16) {
    const unlike = i32x4.bitmask(i32x4.ne(v128.load(at), four));
    if (unlike != 0) return min(end, at + (ctz(unlike) << 2));
  }
  return end;
}

/** Returns where pixels stop being equal to those from `source` on. */
function endOfCopy(from: usize, source: usize, end: usize): usize {
  const back = from - source;
  for (let at = from; at < end; at += 16) {
    const unlike = i32x4.bitmask(i32x4.ne(v128.load(at), v128.load(at - back)));
    if (unlike != 0) return min(end, at + (ctz(unlike) << 2));
  }
  return end;
}

function count(table: usize, symbol: u32): void {
  const entry = table + (symbol << 2);
  store<u32>(entry, load<u32>(entry) + 1);
}

/** The symbol of a distance of at least 3, less 1 (RFC 1951, section 3.2.5) */
function distanceSymbol(offset: u32): u32 {
  const extraBits = distanceExtraBits(offset);
  return 2 * extraBits + (offset >>> extraBits);
}

function distanceExtraBits(offset: u32): u32 {
  return 30 - clz(offset);
}

/** Adds a row to the checksum: its filter type, then its bytes. */
function addToChecksum(row: usize): void {
  low += filter;
  high += low;
  const end = row + (width << 2);
  for (let at = row; at < end; at += CHECKSUM_BYTES) {
    addPixels(at, min(end, at + CHECKSUM_BYTES));
  }
}

function addPixels(from: usize, end: usize): void {
  const bytes = i32x4.splat(channels == 3 ? 0x00ffffff : -1);
  // Weights of the bytes in four pixels: how many bytes end with each
  const column = i16x8.add(
    i16x8(0, 1, 2, 3, 0, 1, 2, 3),
    i16x8.mul(i16x8.splat(<i16>channels), i16x8(0, 0, 0, 0, 1, 1, 1, 1)),
  );
  const firstWeights = i16x8.sub(i16x8.splat(<i16>(4 * channels)), column);
  const lastWeights = i16x8.sub(firstWeights, i16x8.splat(<i16>(2 * channels)));
  let sums = i32x4.splat(0);
  let earlierSums = i32x4.splat(0);
  let weighted = i32x4.splat(0);
  let at = from;
  for (; at < end; at += 16) {
    let four = v128.and(v128.load(at), bytes);
    if (end - at < 16) {
      four = v128.and(four, i32x4.lt_s(i32x4(0, 4, 8, 12), i32x4.splat(<i32>(end - at))));
    }
    earlierSums = i32x4.add(earlierSums, sums);
    sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(four)));
    weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(four), firstWeights));
    weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(four), lastWeights));
  }
  const sum = sumOf(sums);
  const missing = channels * <u32>((at - end) >>> 2);
  const length = channels * <u32>((end - from) >>> 2);
  high += length * low + 4 * channels * sumOf(earlierSums) + sumOf(weighted) - missing * sum;
  high %= ADLER;
  low = (low + sum) % ADLER;
}

function sumOf(lanes: v128): u64 {
  const pairs = i64x2.add(i64x2.extend_low_i32x4_u(lanes), i64x2.extend_high_i32x4_u(lanes));
  return i64x2.extract_lane(pairs, 0) + i64x2.extract_lane(pairs, 1);
}

/** Adler-32 of all rows so far */
export function checksum(): u32 {
  return ((<u32>high) << 16) | <u32>low;
}

/** Begins another block. The bits of an unfinished byte stay, and symbols are counted anew. */
export function beginBlock(): void {
  output = OUTPUT;
  memory.fill(COUNTS, 0, CODES - COUNTS);
}

/** Returns where the whole bytes of a block end. */
export function endOfOutput(): usize {
  return output;
}

/** @param bitCount at most 57, including the pending ones */
function append(bits: u64, bitCount: u64): void {
  pending |= bits << pendingBits;
  pendingBits += bitCount;
  store<u64>(output, pending);
  output += <usize>(pendingBits >>> 3);
  pending >>>= pendingBits & 56;
  pendingBits &= 7;
}

/** @param bitCount at most 32 */
export function appendBits(bits: u32, bitCount: u32): void {
  append(bits, bitCount);
}

/** Appends zeros up to the next byte. */
export function alignOutput(): void {
  append(0, -pendingBits & 7);
}

/** Appends the literal pixels and matches of a block. */
export function appendRows(): void {
  const stride = width << 2;
  let at = pixels;
  let end = pixels;
  for (let token = tokens; token < endOfTokens; token += 4) {
    if (at == end) {
      end += stride;
      const code = codeOf(CODES, filter);
      append(code >>> 5, code & 31);
    }
    const value = load<u32>(token);
    for (const match = at + ((value >>> 22) << 2); at < match; at += 4) appendPixel(load<u32>(at));
    const matched = (value >>> 15) & 127;
    if (matched != 0) {
      at += matched << 2;
      appendMatch(matched, value & 32767);
    }
  }
}

function appendPixel(pixel: u32): void {
  const red = codeOf(CODES, pixel & 255);
  const green = codeOf(CODES, (pixel >>> 8) & 255);
  const blue = codeOf(CODES, (pixel >>> 16) & 255);
  let bits = red >>> 5;
  let bitCount = red & 31;
  bits |= (green >>> 5) << bitCount;
  bitCount += green & 31;
  bits |= (blue >>> 5) << bitCount;
  bitCount += blue & 31;
  append(bits, bitCount);
  if (channels == 4) {
    const alpha = codeOf(CODES, pixel >>> 24);
    append(alpha >>> 5, alpha & 31);
  }
}

function appendMatch(length: u32, offset: u32): void {
  const lengthCode = codeOf(CODES + LENGTHS, length);
  const distanceCode = codeOf(CODES + DISTANCES, distanceSymbol(offset));
  const extraBits = distanceExtraBits(offset);
  let bits = lengthCode >>> 5;
  let bitCount = lengthCode & 31;
  bits |= (distanceCode >>> 5) << bitCount;
  bitCount += distanceCode & 31;
  bits |= (<u64>(offset & ((1 << extraBits) - 1))) << bitCount;
  bitCount += extraBits;
  append(bits, bitCount);
}

function codeOf(table: usize, symbol: u32): u64 {
  return load<u32>(table + (symbol << 2));
}
