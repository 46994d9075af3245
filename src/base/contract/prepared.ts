/** The bytes of an answer that is made once and sent many times. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gunzip, gzip, gzipSync } from 'node:zlib';
import type { z } from 'zod';

export type Encoding = 'br' | 'gzip' | 'identity';

export const JSON_TYPE = 'application/json; charset=utf-8';

declare const VALUE: unique symbol;

/** JSON text of a `T`. */
type JsonText<T> = string & { readonly [VALUE]: T };

/** The content of a prepared answer that isn't JSON. */
export interface Bytes {
  readonly [VALUE]: 'bytes';
}

/** Serializes a value that the schema declares. The schema only supplies the type; it isn't run. */
export const jsonText = <Schema extends z.ZodType>(_schema: Schema, value: z.output<Schema>) =>
  JSON.stringify(value) as JsonText<z.output<Schema>>;

/**
 * Marks JSON text that code or the database has assembled as text of the schema's type. The compiler can't
 * check this, but tests check every answer against its schema.
 */
export const assembledJson = <Schema extends z.ZodType>(_schema: Schema, text: string) =>
  text as JsonText<z.output<Schema>>;

/** The type of a prepared answer made from `Content`: the value of a JSON text, or bytes. */
export type ValueOf<Content> = Content extends JsonText<infer T> ? T : Bytes;

/** Images are already compressed. */
const INCOMPRESSIBLE = /^image\//;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const fromGzip = promisify<Uint8Array, Buffer>(gunzip);

/** For up to this many bytes, encoding takes less time (0.1 ms) than passing the work to a thread. */
const MAX_SYNC_BYTES = 4 * 1024;

/**
 * For GeoJSON, quality 5 is a seventh smaller than gzip and faster; 11 takes 60 times as long. A small
 * answer fits in a packet or two at any quality, and 3 takes half the time of 5.
 */
const brotli = (bytes: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: bytes <= MAX_SYNC_BYTES ? 3 : 5,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
});

/** @typeParam T the value of the JSON, or `Bytes` */
export class PreparedAnswer<out T = Bytes> {
  declare readonly [VALUE]: T;
  readonly bytes: Buffer;
  /** Media type */
  readonly type: string;
  /** Header fields that describe the content */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether it is sent compressed */
  readonly compressible: boolean;
  /** The forms in which it is sent, the best first */
  readonly encodings: readonly Encoding[];
  readonly #hash: string;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(content: JsonText<T>, type?: string);
  constructor(content: string | Uint8Array, type?: string, fields?: Record<string, string>);
  constructor(content: string | Uint8Array, type: string = JSON_TYPE, fields = {}) {
    this.bytes = typeof content === 'string' ? Buffer.from(content) : asBuffer(content);
    this.type = type;
    this.fields = fields;
    this.compressible = !INCOMPRESSIBLE.test(type);
    this.encodings = this.compressible ? ['br', 'gzip', 'identity'] : ['identity'];
    this.#hash = createHash('sha256').update(this.bytes).digest('base64url').slice(0, 22);
  }

  /** A strong validator, which differs for each encoding (RFC 9110, 8.8.3.3). */
  etag(encoding: Encoding): string {
    return encoding === 'identity' ? `"${this.#hash}"` : `"${this.#hash}-${encoding}"`;
  }

  /** Encodes on first use. Concurrent calls share the result, and failures aren't kept. */
  encoded(encoding: Encoding): Promise<Buffer> {
    let bytes = this.#encoded.get(encoding);
    if (!bytes) {
      bytes = encode(this.bytes, encoding);
      this.#encoded.set(encoding, bytes);
      bytes.catch(() => this.#encoded.delete(encoding));
    }
    return bytes;
  }
}

/** An answer whose content comes compressed with gzip, and is passed on as it is. */
export class GzippedAnswer extends PreparedAnswer {
  override readonly encodings = ['gzip', 'identity'] as const;

  /** Decompresses the content only for clients that don't accept gzip. */
  override encoded(encoding: Encoding): Promise<Buffer> {
    return encoding === 'gzip' ? Promise.resolve(this.bytes) : fromGzip(this.bytes);
  }
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

async function encode(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const sync = bytes.length <= MAX_SYNC_BYTES;
  switch (encoding) {
    case 'br': {
      const options = brotli(bytes.length);
      return sync ? brotliCompressSync(bytes, options) : toBrotli(bytes, options);
    }
    case 'gzip':
      return sync ? gzipSync(bytes) : toGzip(bytes);
    case 'identity':
      return bytes;
  }
}
