/**
 * Reads ZIP archives entry by entry, from memory or from a file, without unpacking more than asked for. Checks sizes and
 * checksums, so that damaged data is always detected. Source: PKWARE, APPNOTE 6.3.10.
 */
import { open } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';

/** The bytes of an archive */
export interface ArchiveBytes {
  size(): Promise<number>;
  read(offset: number, length: number): Promise<Buffer>;
  stream(offset: number, length: number): AsyncIterable<Buffer>;
}

export interface ZipEntry {
  /** Path inside the archive */
  name: string;
  size: number;
  compressedSize: number;
  /** Number of the compression method */
  method: number;
  isEncrypted: boolean;
  crc: number;
  /** Position of the entry's local header in the file */
  offset: number;
}

/** The archive isn't damaged, but packed in a way that can't be read. The message says how, and what to do. */
export class UnsupportedZipError extends Error {
  override name = 'UnsupportedZipError';
}

/** The end record with the longest possible comment */
const MAX_END_BYTES = 22 + 65_535;
const END_SIGNATURE = 0x06054b50;
const END64_SIGNATURE = 0x06064b50;
const LOCATOR64_SIGNATURE = 0x07064b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCATOR64_BYTES = 20;
const LOCAL_HEADER_BYTES = 30;
/** Size of unpacked parts */
const PART_BYTES = 256 * 1024;

const STORED = 0;
const DEFLATED = 8;
const METHODS: Readonly<Record<number, string>> = {
  1: 'Shrink',
  2: 'Reduce',
  3: 'Reduce',
  4: 'Reduce',
  5: 'Reduce',
  6: 'Implode',
  9: 'Deflate64',
  10: 'PKWARE DCL Implode',
  12: 'BZIP2',
  14: 'LZMA',
  16: 'CMPSC',
  18: 'TERSE',
  19: 'LZ77',
  20: 'Zstandard',
  93: 'Zstandard',
  94: 'MP3',
  95: 'XZ',
  96: 'JPEG',
  97: 'WavPack',
  98: 'PPMd',
  99: 'AES encryption',
};

export const bytesInMemory = (bytes: Buffer): ArchiveBytes => ({
  size: async () => bytes.length,
  read: async (offset, length) => bytes.subarray(offset, offset + length),
  async *stream(offset, length) {
    const end = Math.min(bytes.length, offset + length);
    for (let at = offset; at < end; at += PART_BYTES) {
      yield bytes.subarray(at, Math.min(end, at + PART_BYTES));
    }
  },
});

export const bytesOfFile = (path: string): ArchiveBytes => ({
  async size() {
    const handle = await open(path);
    try {
      return (await handle.stat()).size;
    } finally {
      await handle.close();
    }
  },
  async read(offset, length) {
    const handle = await open(path);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  },
  stream: (offset, length) => createReadStream(path, { start: offset, end: offset + length - 1 }),
});

/**
 * Returns the entries of an archive, in its order.
 * @throws Error if it isn't a complete archive, or has more entries; UnsupportedZipError if it has several parts
 */
export async function readZipEntries(
  archive: ArchiveBytes,
  maxEntries = Infinity,
): Promise<ZipEntry[]> {
  const size = await archive.size();
  const { count, offset, bytes } = await findDirectory(archive, size);
  if (offset + bytes > size || count > maxEntries) throw damagedDirectory();
  return parseDirectory(await archive.read(offset, bytes), count);
}

const damagedDirectory = () => new Error('the directory of the archive is damaged');

async function findDirectory(archive: ArchiveBytes, size: number) {
  const length = Math.min(size, MAX_END_BYTES);
  const tail = await archive.read(size - length, length);
  let end = tail.length - 22;
  while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end--;
  if (end < 0) throw new Error('the archive has no END header');
  const directory = {
    count: tail.readUInt16LE(end + 10),
    bytes: tail.readUInt32LE(end + 12),
    offset: tail.readUInt32LE(end + 16),
  };
  const disk = tail.readUInt16LE(end + 4);
  const isZip64 =
    disk === 0xffff ||
    directory.count === 0xffff ||
    directory.bytes === 0xffffffff ||
    directory.offset === 0xffffffff;
  if (isZip64) return findDirectory64(archive, size - length + end);
  if (disk !== 0) throw inSeveralParts();
  return directory;
}

const inSeveralParts = () =>
  new UnsupportedZipError('The archive has several parts. Join them, or unpack it.');

/** @param end position of the end record, which a locator of the larger one precedes */
async function findDirectory64(archive: ArchiveBytes, end: number) {
  const locator = await archive.read(Math.max(0, end - LOCATOR64_BYTES), LOCATOR64_BYTES);
  if (end < LOCATOR64_BYTES || locator.readUInt32LE(0) !== LOCATOR64_SIGNATURE) {
    throw damagedDirectory();
  }
  if (locator.readUInt32LE(4) !== 0) throw inSeveralParts();
  const record = await archive.read(bigNumber(locator, 8), 56);
  if (record.length < 56 || record.readUInt32LE(0) !== END64_SIGNATURE) throw damagedDirectory();
  return {
    count: bigNumber(record, 32),
    bytes: bigNumber(record, 40),
    offset: bigNumber(record, 48),
  };
}

function bigNumber(bytes: Buffer, at: number): number {
  const value = Number(bytes.readBigUInt64LE(at));
  if (!Number.isSafeInteger(value)) throw damagedDirectory();
  return value;
}

function parseDirectory(directory: Buffer, count: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== ENTRY_SIGNATURE) {
      throw damagedDirectory();
    }
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const sizes = {
      size: directory.readUInt32LE(at + 24),
      compressedSize: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    };
    entries.push({
      name: directory.toString('utf8', at + 46, nameEnd),
      method: directory.readUInt16LE(at + 10),
      isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      crc: directory.readUInt32LE(at + 16),
      ...withLargeSizes(sizes, directory.subarray(nameEnd, extraEnd)),
    });
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
  // An end record with the wrong number must not hide entries.
  const isMore = at + 4 <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE;
  if (isMore || at > directory.length) throw damagedDirectory();
  return entries;
}

type Sizes = Pick<ZipEntry, 'size' | 'compressedSize' | 'offset'>;

/** Sizes that need more than 32 bits are in the extra field of ZIP64, in this order. */
function withLargeSizes(sizes: Sizes, extra: Buffer): Sizes {
  const missing = (['size', 'compressedSize', 'offset'] as const).filter(
    (key) => sizes[key] === 0xffffffff,
  );
  if (missing.length === 0) return sizes;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    if (extra.readUInt16LE(at + 2) < 8 * missing.length) throw damagedDirectory();
    const large = missing.map((key, i) => [key, bigNumber(extra, at + 4 + 8 * i)]);
    return { ...sizes, ...(Object.fromEntries(large) as Partial<Sizes>) };
  }
  throw damagedDirectory();
}

/** @throws UnsupportedZipError if the entry is encrypted, or compressed by another method than Deflate */
export function requireReadable({ name, method, isEncrypted }: ZipEntry): void {
  if (isEncrypted || method === 99) {
    throw new UnsupportedZipError(
      `${name} in the archive is encrypted. Save the archive without a password.`,
    );
  }
  if (method === STORED || method === DEFLATED) return;
  throw new UnsupportedZipError(
    `${name} in the archive is compressed with ${METHODS[method] ?? `method ${method}`}, which this service can’t read. Compress it with Deflate, the usual method, or unpack it.`,
  );
}

/**
 * Yields the content of an entry, part by part.
 * @throws UnsupportedZipError as `requireReadable`; Error if it doesn't match the size and checksum in the archive
 */
export async function* readZipEntry(
  archive: ArchiveBytes,
  entry: ZipEntry,
): AsyncGenerator<Buffer> {
  requireReadable(entry);
  const start = await contentStart(archive, entry);
  let size = 0;
  let crc = 0;
  for await (const part of contentOf(archive, entry, start)) {
    size += part.length;
    if (size > entry.size) break;
    crc = crc32(part, crc);
    yield part;
  }
  if (size !== entry.size || crc !== entry.crc) throw new Error(`${entry.name} is damaged`);
}

/** The local header repeats the name and has its own extra fields. */
async function contentStart(archive: ArchiveBytes, { name, offset }: ZipEntry): Promise<number> {
  const header = await archive.read(offset, LOCAL_HEADER_BYTES);
  if (header.length < LOCAL_HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_SIGNATURE) {
    throw new Error(`${name} is damaged`);
  }
  return offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}

function contentOf(
  archive: ArchiveBytes,
  { compressedSize, method }: ZipEntry,
  start: number,
): AsyncIterable<Buffer> | Iterable<Buffer> {
  if (compressedSize === 0) return [];
  const packed = archive.stream(start, compressedSize);
  if (method === STORED) return packed;
  // The stream makes no more parts than are read, however small the archive is that contains them.
  const inflate = createInflateRaw({ chunkSize: PART_BYTES });
  // Errors of either reach the reader, and both end when it stops.
  pipeline(Readable.from(packed), inflate, () => {});
  return inflate;
}
