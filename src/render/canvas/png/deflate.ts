/** Writes rows as a zlib stream (RFC 1950) with one block of dynamic codes (RFC 1951, section 3.2.7). */
import { BitWriter } from './bit-writer.ts';
import type { FilteredRows } from './filter.ts';
import { findMatches, MAX_LENGTH, type Matches } from './matches.ts';
import { buildCode, type PrefixCode } from './prefix-code.ts';

/** A window of 32 kB, and the level "fastest" */
const ZLIB_HEADER = 0x0178;
const LAST_DYNAMIC_BLOCK = 0b101;
const END_OF_BLOCK = 256;
const SYMBOLS = 286;
const DISTANCES = 30;
/** Order in which the lengths of the code for code lengths are written */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** Limits of code lengths: with their extra bits, codes fit the 24 bits that can be written at once. */
const MAX_BITS = 15;
const MAX_DISTANCE_BITS = 11;
/** A filter type, a length with 5 extra bits, and a distance with 13 */
const MAX_TOKEN_BITS = MAX_BITS + (MAX_BITS + 5) + (MAX_DISTANCE_BITS + 13);
/** More than the headers, the codes, and the checksum take */
const OVERHEAD_BYTES = 512;

export function deflate(rows: FilteredRows): Buffer {
  const matches = findMatches(rows);
  const { bytes, lengths, distances } = countFrequencies(rows, matches);
  const symbols = new Uint32Array(SYMBOLS);
  symbols.set(bytes);
  symbols[END_OF_BLOCK] = 1;
  for (const [pixels, count] of lengths.entries()) {
    if (count > 0) symbols[lengthSymbol(rows.channels * pixels).symbol]! += count;
  }
  const code = buildCode(symbols, MAX_BITS);
  const distanceCode = buildCode(distances, MAX_DISTANCE_BITS);
  /** By number of pixels */
  const lengthCode = Int32Array.from(lengths, (count, pixels) =>
    count > 0 ? extendedCode(code, rows.channels * pixels) : 0,
  );

  const literalBits = matches.literals.length * rows.channels * MAX_BITS;
  const tokenBits = matches.tokens.length * MAX_TOKEN_BITS;
  const writer = new BitWriter(OVERHEAD_BYTES + Math.ceil((literalBits + tokenBits) / 8));
  writer.write(ZLIB_HEADER, 16);
  writeCodes(writer, code, distanceCode);
  writeRows(writer, rows, matches, code, lengthCode, distanceCode);
  writer.writeCode(code[END_OF_BLOCK]!);
  return writer.finish(matches.checksum);
}

/** Counts bytes of literal pixels and filter types, lengths by number of pixels, and symbols of distances. */
function countFrequencies(
  { channels, height, filter }: FilteredRows,
  { tokens, literals }: Matches,
) {
  const bytes = new Uint32Array(256);
  const lengths = new Uint32Array(Math.floor(MAX_LENGTH / channels) + 1);
  const distances = new Uint32Array(DISTANCES);
  bytes[filter] = height;
  for (let i = 0; i < literals.length; i++) {
    const pixel = literals[i]!;
    bytes[pixel & 255]!++;
    bytes[(pixel >>> 8) & 255]!++;
    bytes[(pixel >>> 16) & 255]!++;
    if (channels === 4) bytes[pixel >>> 24]!++;
  }
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const pixels = (token >>> 15) & 127;
    if (pixels === 0) continue;
    lengths[pixels]!++;
    const offset = token & 32767;
    const extraBits = 30 - Math.clz32(offset);
    distances[2 * extraBits + (offset >> extraBits)]!++;
  }
  // Some decoders expect at least one distance.
  distances[2]! ||= 1;
  return { bytes, lengths, distances };
}

/** RFC 1951, section 3.2.5 */
function lengthSymbol(bytes: number): { symbol: number; extra: number; extraBits: number } {
  if (bytes === MAX_LENGTH) return { symbol: 285, extra: 0, extraBits: 0 };
  if (bytes < 11) return { symbol: 254 + bytes, extra: 0, extraBits: 0 };
  const extraBits = 29 - Math.clz32(bytes - 3);
  const symbol = 257 + 4 * extraBits + ((bytes - 3) >> extraBits);
  return { symbol, extra: (bytes - 3) & ((1 << extraBits) - 1), extraBits };
}

/** Returns the code of a length, followed by its extra bits. */
function extendedCode(code: PrefixCode, bytes: number): number {
  const { symbol, extra, extraBits } = lengthSymbol(bytes);
  const bits = code[symbol]! & 31;
  return (((code[symbol]! >>> 5) | (extra << bits)) << 5) | (bits + extraBits);
}

/** Writes the code lengths one by one, in a code of their own. */
function writeCodes(writer: BitWriter, code: PrefixCode, distanceCode: PrefixCode): void {
  const all = [...code, ...distanceCode].map((entry) => entry & 31);
  const frequencies = new Uint32Array(LENGTH_ORDER.length);
  for (const length of all) frequencies[length]!++;
  const lengthsCode = buildCode(frequencies, 7);
  writer.write(LAST_DYNAMIC_BLOCK, 3);
  writer.write(code.length - 257, 5);
  writer.write(distanceCode.length - 1, 5);
  writer.write(LENGTH_ORDER.length - 4, 4);
  for (const length of LENGTH_ORDER) writer.write(lengthsCode[length]! & 31, 3);
  for (const length of all) writer.writeCode(lengthsCode[length]!);
}

function writeRows(
  writer: BitWriter,
  { width, channels, filter }: FilteredRows,
  { tokens, literals }: Matches,
  code: PrefixCode,
  lengthCode: PrefixCode,
  distanceCode: PrefixCode,
): void {
  let literal = literals.length;
  let rowLeft = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (rowLeft === 0) {
      rowLeft = width;
      writer.writeCode(code[filter]!);
    }
    const pixels = (token >>> 15) & 127;
    rowLeft -= (token >>> 22) + pixels;
    for (const end = literal - (token >>> 22); literal > end;) {
      const pixel = literals[--literal]!;
      for (let shift = 0; shift < 8 * channels; shift += 8) {
        writer.writeCode(code[(pixel >>> shift) & 255]!);
      }
    }
    if (pixels === 0) continue;
    writer.writeCode(lengthCode[pixels]!);
    // The symbol of a distance of at least 3 (RFC 1951, section 3.2.5)
    const offset = token & 32767;
    const extraBits = 30 - Math.clz32(offset);
    const entry = distanceCode[2 * extraBits + (offset >> extraBits)]!;
    const bits = entry & 31;
    const extra = offset & ((1 << extraBits) - 1);
    writer.write((entry >>> 5) | (extra << bits), bits + extraBits);
  }
}
