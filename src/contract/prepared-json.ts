/** An answer's JSON, encoded once and sent many times. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

export class PreparedJson {
  readonly json: Buffer;
  readonly #hash: string;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(json: string) {
    this.json = Buffer.from(json);
    this.#hash = createHash('sha256').update(this.json).digest('base64url').slice(0, 22);
  }

  /** Strong, so each encoding has its own (RFC 9110, 8.8.3.3). */
  etag(encoding: Encoding): string {
    return encoding === 'identity' ? `"${this.#hash}"` : `"${this.#hash}-${encoding}"`;
  }

  /** Encodes when first asked; all who ask meanwhile wait for the same. */
  encoded(encoding: Encoding): Promise<Buffer> {
    let bytes = this.#encoded.get(encoding);
    if (!bytes) {
      bytes = encode(this.json, encoding);
      this.#encoded.set(encoding, bytes);
      bytes.catch(() => this.#encoded.delete(encoding));
    }
    return bytes;
  }
}

async function encode(json: Buffer, encoding: Encoding): Promise<Buffer> {
  switch (encoding) {
    case 'br':
      // Of GeoJSON, quality 5 is a seventh smaller than gzip and faster; 11 takes 60 times as long.
      return toBrotli(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    case 'gzip':
      return toGzip(json);
    case 'identity':
      return json;
  }
}
