/** Decompresses fonts. fontkit would decompress all outlines of a WOFF file again for each glyph that it measures. */
import { inflateSync } from 'node:zlib';

const WOFF = { headerBytes: 44, entryBytes: 20 } as const;
const SFNT = { headerBytes: 12, entryBytes: 16 } as const;

/** Returns the font of a WOFF file as an OpenType file: https://www.w3.org/TR/WOFF/ */
export function openTypeOf(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const header = Buffer.alloc(SFNT.headerBytes + SFNT.entryBytes * count);
  header.writeUInt32BE(woff.readUInt32BE(4), 0);
  header.writeUInt16BE(count, 4);
  const log = Math.floor(Math.log2(count));
  header.writeUInt16BE(16 * 2 ** log, 6);
  header.writeUInt16BE(log, 8);
  header.writeUInt16BE(16 * (count - 2 ** log), 10);
  const parts: Uint8Array[] = [header];
  let end = header.length;
  for (let i = 0; i < count; i++) {
    const from = WOFF.headerBytes + WOFF.entryBytes * i;
    const [offset, packed, length, checksum] = [4, 8, 12, 16].map((at) =>
      woff.readUInt32BE(from + at),
    ) as [number, number, number, number];
    const stored = woff.subarray(offset, offset + packed);
    const to = SFNT.headerBytes + SFNT.entryBytes * i;
    woff.copy(header, to, from, from + 4);
    header.writeUInt32BE(checksum, to + 4);
    header.writeUInt32BE(end, to + 8);
    header.writeUInt32BE(length, to + 12);
    // Tables begin at multiples of four bytes.
    const padding = -length & 3;
    parts.push(packed < length ? inflateSync(stored) : stored, Buffer.alloc(padding));
    end += length + padding;
  }
  return Buffer.concat(parts);
}
