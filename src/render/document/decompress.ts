/** Decompresses within a limit: a few kilobytes may expand to gigabytes. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';

export const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/**
 * @throws RangeError if the result is larger
 * @throws Error of zlib if the bytes are not valid
 */
export const decompressGzip = withByteLimit(promisify(gunzip));
export const decompressBrotli = withByteLimit(promisify(brotliDecompress));

function withByteLimit(
  decompress: (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>,
) {
  return async (bytes: Uint8Array, maxBytes: number): Promise<Buffer> => {
    try {
      return await decompress(bytes, { maxOutputLength: maxBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
      throw new RangeError(`has more than ${maxBytes / 1024 ** 2} MB`, { cause: error });
    }
  };
}
