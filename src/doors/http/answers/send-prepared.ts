/** Sends a prepared answer: a 304 if the client's copy is current, otherwise the best accepted encoding. */
import type { Context } from 'koa';
import type { Answer } from '../../../base/contract/operation.ts';
import type { Encoding, PreparedAnswer } from '../../../base/contract/prepared.ts';

/** @param negotiated whether the Accept header selected the media type */
export async function sendPrepared(
  ctx: Context,
  { status, headers }: Answer,
  prepared: PreparedAnswer,
  negotiated: boolean,
): Promise<void> {
  const encoding = encodingFor(ctx, prepared);
  const bytes = await prepared.encoded(encoding);
  const etag = prepared.etag(encoding);
  ctx.set({ ETag: etag, ...headers, ...prepared.fields });
  const vary = varyOf(prepared.compressible, negotiated);
  if (vary) ctx.set('Vary', headers?.['Vary'] ? `${headers['Vary']}, ${vary}` : vary);
  if (isCurrent(ctx, status, etag)) {
    ctx.status = 304;
    return;
  }
  ctx.status = status;
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.set('Content-Type', prepared.type);
  ctx.body = bytes;
}

function varyOf(compressible: boolean, negotiated: boolean): string | undefined {
  if (compressible) return negotiated ? 'Accept-Encoding, Accept' : 'Accept-Encoding';
  return negotiated ? 'Accept' : undefined;
}

/**
 * RFC 9110, 13.1.2. Koa's own check refuses 304 to requests with `Cache-Control: no-cache`. That field is
 * meant for intermediate caches, and `fetch` adds it to every request with `If-None-Match`.
 */
function isCurrent({ req }: Context, status: number, etag: string): boolean {
  const known = req.headers['if-none-match'];
  if (known === undefined || status !== 200) return false;
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  // Our tags contain no commas. The comparison is weak: a proxy that compresses adds W/.
  return known.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}

/** Browsers list gzip first but weigh all encodings equally. Brotli is the smallest. */
function encodingFor(ctx: Context, { encodings }: PreparedAnswer): Encoding {
  return encodings.find((encoding) => ctx.acceptsEncodings(encoding)) ?? 'identity';
}
