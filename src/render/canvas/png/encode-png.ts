/**
 * A PNG encoder for maps, where most pixels equal the pixel above or to the left, and many others have
 * the color of a pixel nearby. It looks for whole pixels in these three places, while zlib searches 32 kB
 * of bytes. Format: Portable Network Graphics, third edition (W3C, 2025).
 *
 * Rejected: palettes, because letters alone have more than 256 colors.
 */
import { crc32 } from 'node:zlib';
import type { RawPicture } from '../encode.ts';
import { deflate } from './deflate.ts';
import { filterRows } from './filter.ts';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const BIT_DEPTH = 8;
const RGB = 2;
const RGBA = 6;

/** Encodes a picture. The same pixels give the same bytes. */
export function encodePng({ width, height, bytes, opaque }: RawPicture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BIT_DEPTH, opaque ? RGB : RGBA], 8);
  // One number per pixel. Typed arrays of such numbers start at multiples of 4 bytes.
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const pixels = new Int32Array(buffer, byteOffset, width * height);
  const rows = filterRows({ pixels, width, height, channels: opaque ? 3 : 4 });
  return Buffer.concat([
    SIGNATURE,
    ...chunk('IHDR', header),
    ...deflate(rows).flatMap((part) => chunk('IDAT', part)),
    ...chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Section 5.3 */
function chunk(type: string, data: Buffer): Buffer[] {
  const start = Buffer.alloc(8);
  start.writeUInt32BE(data.length, 0);
  start.write(type, 4, 'latin1');
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(data, crc32(start.subarray(4))), 0);
  return [start, data, end];
}
