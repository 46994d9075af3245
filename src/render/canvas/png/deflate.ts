/**
 * Compresses rows as a zlib stream (RFC 1950) of blocks with dynamic codes (RFC 1951, section 3.2.7). The loops
 * over pixels are in `assembly/index.ts`.
 */
import { loadDeflater, symbolTable, type Deflater } from './deflater.ts';
import type { FilteredRows } from './filter.ts';
import { CODES, COUNTS, OUTPUT } from './kernel-memory.ts';
import { buildCode, type PrefixCode } from './prefix-code.ts';

/** A window of 32 kB, and the level "fastest" */
const ZLIB_HEADER = 0x0178;
const DYNAMIC_BLOCK = 0b100;
const END_OF_BLOCK = 256;
const SYMBOLS = 286;
const MAX_LENGTH = 258;
const WINDOW = 32_768;
/** Order in which the lengths of the code for code lengths are written */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** Limits of code lengths: with its extra bits, a match fits the 57 bits that can be written at once. */
const MAX_BITS = 15;
const MAX_DISTANCE_BITS = 11;

/** Pixels of a block. Larger blocks need fewer codes, and more memory. */
const BLOCK_PIXELS = 2 ** 19;
/** More than four literal bytes, or a match */
const MAX_PIXEL_BYTES = 8;
/** Room for the header and codes of a block, and for the checksum */
const OVERHEAD_BYTES = 512;

/** Returns the stream in parts. */
export function deflate({ pixels, width, height, channels, filter }: FilteredRows): Buffer[] {
  const deflater = loadDeflater();
  const blockRows = Math.min(height, Math.ceil(BLOCK_PIXELS / width));
  const copiedRows = Math.max(1, Math.floor(WINDOW / (channels * width + 1)));
  const outputBytes = OVERHEAD_BYTES + MAX_PIXEL_BYTES * (width + 1) * blockRows;
  const start =
    deflater.begin(width, channels, filter, blockRows, copiedRows, outputBytes) /
    Int32Array.BYTES_PER_ELEMENT;
  const { buffer } = deflater.memory;
  const memory = new Int32Array(buffer);

  const parts: Buffer[] = [];
  deflater.appendBits(ZLIB_HEADER, 16);
  for (let y = 0; y < height; y += blockRows) {
    const above = Math.min(y, copiedRows);
    const end = Math.min(height, y + blockRows);
    memory.set(pixels.subarray((y - above) * width, end * width), start - above * width);
    deflater.findMatches(end - y);
    appendBlock(deflater, channels, end === height);
    if (end === height) appendChecksum(deflater);
    parts.push(Buffer.from(buffer.slice(OUTPUT, deflater.endOfOutput())));
    deflater.beginBlock();
  }
  return parts;
}

function appendBlock(deflater: Deflater, channels: 3 | 4, isLast: boolean): void {
  const counts = symbolTable(deflater, COUNTS);
  const symbols = new Uint32Array(SYMBOLS);
  symbols.set(counts.bytes);
  symbols[END_OF_BLOCK] = 1;
  for (const [pixels, count] of counts.lengths.entries()) {
    if (count > 0) symbols[lengthSymbol(channels * pixels).symbol]! += count;
  }
  // Some decoders expect at least one distance.
  counts.distances[2]! ||= 1;
  const code = buildCode(symbols, MAX_BITS);
  const distanceCode = buildCode(counts.distances, MAX_DISTANCE_BITS);

  deflater.appendBits(DYNAMIC_BLOCK | (isLast ? 1 : 0), 3);
  appendCodes(deflater, code, distanceCode);
  const codes = symbolTable(deflater, CODES);
  codes.bytes.set(code.subarray(0, 256));
  codes.distances.set(distanceCode);
  for (const [pixels, count] of counts.lengths.entries()) {
    if (count > 0) codes.lengths[pixels] = extendedCode(code, channels * pixels);
  }
  deflater.appendRows();
  appendCode(deflater, code[END_OF_BLOCK]!);
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

/** Appends the code lengths one by one, in a code of their own. */
function appendCodes(deflater: Deflater, code: PrefixCode, distanceCode: PrefixCode): void {
  const all = [...code, ...distanceCode].map((entry) => entry & 31);
  const frequencies = new Uint32Array(LENGTH_ORDER.length);
  for (const length of all) frequencies[length]!++;
  const lengthsCode = buildCode(frequencies, 7);
  deflater.appendBits(code.length - 257, 5);
  deflater.appendBits(distanceCode.length - 1, 5);
  deflater.appendBits(LENGTH_ORDER.length - 4, 4);
  for (const length of LENGTH_ORDER) deflater.appendBits(lengthsCode[length]! & 31, 3);
  for (const length of all) appendCode(deflater, lengthsCode[length]!);
}

function appendCode(deflater: Deflater, code: number): void {
  deflater.appendBits(code >>> 5, code & 31);
}

/** Appends zeros up to the next byte, and the checksum, highest byte first. */
function appendChecksum(deflater: Deflater): void {
  deflater.alignOutput();
  const checksum = deflater.checksum();
  for (let shift = 24; shift >= 0; shift -= 8) deflater.appendBits((checksum >>> shift) & 255, 8);
}
