/** Reads the files in a ZIP archive one by one, without unpacking more than asked for. */
import { createInflateRaw } from 'node:zlib';
import { badRequest } from '../../errors.ts';

interface Entry {
  isCompressed: boolean;
  /** Where its local header starts */
  offset: number;
  compressedBytes: number;
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
/** The end of the directory, and the longest comment after it */
const MAX_END_BYTES = 22 + 0xffff;
/** More than any workbook has */
const MAX_ENTRIES = 10_000;
/** All files together: a sheet may be read again, and the first sheets may be empty. */
const MAX_UNPACKED_BYTES = 2_500 * 1024 * 1024;
/** Size of unpacked parts */
const PART_BYTES = 256 * 1024;

export class ZipArchive {
  readonly #bytes: Buffer;
  readonly #entries = new Map<string, Entry>();
  #unpackedBytes = 0;

  /** @throws ServiceError 400 for a damaged archive */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    try {
      this.#readDirectory();
    } catch (cause) {
      throw damaged(cause);
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Reads a file part by part. @throws ServiceError 400 if it is damaged, or has more bytes when unpacked */
  async *read(name: string, maxBytes: number): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw damaged();
    const { isCompressed, offset, compressedBytes } = entry;
    let total = 0;
    try {
      const start =
        offset + 30 + this.#bytes.readUInt16LE(offset + 26) + this.#bytes.readUInt16LE(offset + 28);
      const packed = this.#bytes.subarray(start, start + compressedBytes);
      for await (const part of isCompressed ? inflate(packed) : slicesOf(packed)) {
        total += part.length;
        this.#unpackedBytes += part.length;
        if (total > maxBytes || this.#unpackedBytes > MAX_UNPACKED_BYTES) break;
        yield part;
      }
    } catch (cause) {
      throw damaged(cause);
    }
    if (total <= maxBytes && this.#unpackedBytes <= MAX_UNPACKED_BYTES) return;
    throw badRequest(
      'The workbook is too large when unpacked. Remove columns that aren’t needed, or save the sheet as CSV.',
    );
  }

  #readDirectory(): void {
    const bytes = this.#bytes;
    const mark = Buffer.alloc(4);
    mark.writeUInt32LE(END_OF_DIRECTORY);
    const end = bytes.lastIndexOf(mark);
    if (end < Math.max(0, bytes.length - MAX_END_BYTES)) throw new RangeError('no directory');
    const count = bytes.readUInt16LE(end + 10);
    if (count > MAX_ENTRIES) throw new RangeError('too many files');
    let at = bytes.readUInt32LE(end + 16);
    for (let i = 0; i < count; i++) {
      if (bytes.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new RangeError('no directory entry');
      const nameLength = bytes.readUInt16LE(at + 28);
      this.#entries.set(bytes.toString('utf8', at + 46, at + 46 + nameLength), {
        isCompressed: bytes.readUInt16LE(at + 10) !== 0,
        offset: bytes.readUInt32LE(at + 42),
        compressedBytes: bytes.readUInt32LE(at + 20),
      });
      at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    }
  }
}

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}

/** The stream makes no more parts than are read, however small the archive is that contains them. */
function inflate(packed: Buffer): AsyncIterable<Buffer> {
  const stream = createInflateRaw({ chunkSize: PART_BYTES });
  stream.end(packed);
  return stream;
}

const damaged = (cause?: unknown) =>
  badRequest('The workbook is damaged. Open it in a spreadsheet program, and save it again.', {
    cause,
  });
