/** ZIP archives as programs write them. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ArchiveOptions {
  /** Sizes and positions in 64 bits, as in archives of more than 4 GB */
  isZip64?: boolean;
  /** Number of the compression method that the entries claim. Default: 8, Deflate */
  method?: number;
  isEncrypted?: boolean;
  /** Number of the part that the end record claims to be in */
  part?: number;
  comment?: string;
}

export function zipArchive(
  files: Readonly<Record<string, string | Uint8Array>>,
  { isZip64 = false, method = 8, isEncrypted = false, part = 0, comment = '' }: ArchiveOptions = {},
): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, given] of Object.entries(files)) {
    const content = Buffer.from(given);
    const packed = method === 0 ? content : deflateRawSync(content);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(isEncrypted ? 1 : 0, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(crc32(content), 16);
    const sizes = [content.length, packed.length, offset];
    for (const [i, at] of [24, 20, 42].entries()) {
      entry.writeUInt32LE(isZip64 ? 0xffffffff : sizes[i]!, at);
    }
    // Another field comes first.
    const extra = isZip64
      ? Buffer.concat([shorts(0x7777, 2, 0, 1, 24), ...sizes.map(long)])
      : Buffer.alloc(0);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt16LE(extra.length, 30);
    directory.push(entry, Buffer.from(name), extra);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    local.writeUInt16LE(4, 28);
    bodies.push(local, Buffer.from(name), Buffer.alloc(4), packed);
    offset += 34 + Buffer.byteLength(name) + packed.length;
  }
  const bytes = Buffer.concat(directory);
  const count = Object.keys(files).length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(part, 4);
  end.writeUInt16LE(isZip64 ? 0xffff : count, 10);
  end.writeUInt32LE(isZip64 ? 0xffffffff : bytes.length, 12);
  end.writeUInt32LE(isZip64 ? 0xffffffff : offset, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  for (const [i, value] of [count, bytes.length, offset].entries()) {
    long(value).copy(end64, 32 + 8 * i);
  }
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  long(offset + bytes.length).copy(locator, 8);
  return Buffer.concat([
    ...bodies,
    bytes,
    ...(isZip64 ? [end64, locator] : []),
    end,
    Buffer.from(comment),
  ]);
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function shorts(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt16LE(value, 2 * i);
  return bytes;
}
