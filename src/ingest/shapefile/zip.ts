/**
 * Reads ZIP archives entry by entry, without loading them. Checks sizes and checksums, so that damaged data
 * is always detected. Source: PKWARE, APPNOTE 6.3.10.
 */
import { open } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';

export interface ZipEntry {
  /** Path inside the archive */
  name: string;
  size: number;
  compressedSize: number;
  deflated: boolean;
  crc: number;
  /** Position of the entry's local header in the file */
  offset: number;
}

/** The end record with the longest possible comment */
const MAX_END_BYTES = 22 + 65_535;
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_HEADER_BYTES = 30;

/** @throws Error if the file isn't a complete archive */
export async function readZipEntries(file: string): Promise<ZipEntry[]> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const tail = Buffer.alloc(Math.min(size, MAX_END_BYTES));
    await handle.read(tail, 0, tail.length, size - tail.length);
    let end = tail.length - 22;
    while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end--;
    if (end < 0) throw new Error('the archive has no END header');
    const directory = Buffer.alloc(tail.readUInt32LE(end + 12));
    await handle.read(directory, 0, directory.length, tail.readUInt32LE(end + 16));
    return parseDirectory(directory, tail.readUInt16LE(end + 10));
  } finally {
    await handle.close();
  }
}

function parseDirectory(directory: Buffer, count: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== ENTRY_SIGNATURE) {
      throw new Error('the directory of the archive is damaged');
    }
    const nameBytes = directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + nameBytes),
      deflated: directory.readUInt16LE(at + 10) === 8,
      crc: directory.readUInt32LE(at + 16),
      compressedSize: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * Yields the content of an entry. @throws Error if it doesn't match the size and checksum in the archive
 */
export async function* readZipEntry(file: string, entry: ZipEntry): AsyncGenerator<Buffer> {
  const start = await contentStart(file, entry);
  let size = 0;
  let crc = 0;
  for await (const chunk of contentOf(file, entry, start)) {
    size += chunk.length;
    if (size > entry.size) break;
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (size !== entry.size || crc !== entry.crc) throw new Error(`${entry.name} is damaged`);
}

/** The local header repeats the name and has its own extra fields. */
async function contentStart(file: string, { offset }: ZipEntry): Promise<number> {
  const handle = await open(file);
  try {
    const header = Buffer.alloc(LOCAL_HEADER_BYTES);
    await handle.read(header, 0, LOCAL_HEADER_BYTES, offset);
    return offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  } finally {
    await handle.close();
  }
}

function contentOf(file: string, entry: ZipEntry, start: number): AsyncIterable<Buffer> {
  if (entry.compressedSize === 0) return Readable.from([]);
  const raw = createReadStream(file, { start, end: start + entry.compressedSize - 1 });
  if (!entry.deflated) return raw;
  const inflate = createInflateRaw();
  raw.on('error', (error) => inflate.destroy(error));
  return raw.pipe(inflate);
}
