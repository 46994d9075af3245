/** Reads files that a style names. They may be anything: huge, compressed, or not regular files at all. */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { decompressGzip, isGzip } from './decompress.ts';

/** The message completes a sentence that names the file. */
export class FileProblem extends Error {
  override name = 'FileProblem';
}

/** Without O_NONBLOCK, opening a FIFO waits for a writer. Windows doesn't have this flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file, and decompresses gzip.
 * @throws FileProblem if it isn't a regular file, is too large, or isn't valid gzip
 * @throws Error with a code such as ENOENT
 */
export async function readBoundedFile(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path, FLAGS);
  try {
    if (!(await file.stat()).isFile()) {
      throw new FileProblem('is not a regular file: replace it with one');
    }
    const bytes = await readUpTo(file, maxBytes);
    return isGzip(bytes) ? await decompress(bytes, maxBytes) : bytes;
  } finally {
    await file.close();
  }
}

/** The size that the system reports can be wrong, as in `/proc`. */
async function readUpTo(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of file.createReadStream({ end: maxBytes, autoClose: false })) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
  }
  if (length > maxBytes) throw tooLarge(maxBytes);
  return Buffer.concat(chunks);
}

async function decompress(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await decompressGzip(bytes, maxBytes);
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(maxBytes);
    throw new FileProblem(`is not valid gzip: compress it again. Cause: ${String(error)}`);
  }
}

const tooLarge = (maxBytes: number) =>
  new FileProblem(`has more than ${maxBytes / 1024 ** 2} MB: simplify it or split it up`);
