/** The files of an uploaded ZIP archive, such as a workbook. Limits how much of it is unpacked. */
import { badRequest, ServiceError } from '../../errors.ts';
import {
  bytesInMemory,
  readZipEntries,
  readZipEntry,
  UnsupportedZipError,
  type ArchiveBytes,
  type ZipEntry,
} from './zip-archive.ts';

/** More than any workbook has */
const MAX_ENTRIES = 10_000;
/** All files together: a sheet is read up to three times, and the first sheets may be empty. */
const MAX_UNPACKED_BYTES = 4_500 * 1024 * 1024;

export class UploadedArchive {
  readonly #bytes: ArchiveBytes;
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  #unpackedBytes = 0;

  private constructor(bytes: ArchiveBytes, entries: readonly ZipEntry[]) {
    this.#bytes = bytes;
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
  }

  /** @throws ServiceError 400 for a damaged archive, or one that can't be read */
  static async open(buffer: Buffer): Promise<UploadedArchive> {
    const bytes = bytesInMemory(buffer);
    try {
      return new UploadedArchive(bytes, await readZipEntries(bytes, MAX_ENTRIES));
    } catch (cause) {
      throw unreadable(cause);
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
    if (entry === undefined) throw unreadable();
    let total = 0;
    try {
      for await (const part of readZipEntry(this.#bytes, entry)) {
        total += part.length;
        this.#unpackedBytes += part.length;
        if (total > maxBytes || this.#unpackedBytes > MAX_UNPACKED_BYTES) throw tooLarge();
        yield part;
      }
    } catch (cause) {
      throw cause instanceof ServiceError ? cause : unreadable(cause);
    }
  }
}

const tooLarge = () =>
  badRequest(
    'The file is too large when unpacked. Remove columns that aren’t needed, or split it up.',
  );

const unreadable = (cause?: unknown) =>
  badRequest(
    cause instanceof UnsupportedZipError
      ? `${cause.message} If it is a workbook, open it in a spreadsheet program, and save it again.`
      : 'The workbook or archive is damaged. Save or export it again.',
    { cause },
  );
