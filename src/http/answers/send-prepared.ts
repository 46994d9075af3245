/** Sends a prepared answer: a 304 if the client's copy is current, otherwise the best accepted encoding. */
import type { Context } from 'koa';
import type { Answer } from '../../contract/operation.ts';
import type { Encoding, PreparedAnswer } from '../../contract/prepared.ts';
import { headerFields } from './header-fields.ts';
import type { Repeater } from './repeat.ts';

/**
 * Writes to Node's response directly. Koa would inspect the headers and the body again, which doubles the
 * time.
 * @param negotiated whether the Accept header selected the media type
 * @param repeater remembers answers that can be repeated
 */
export async function sendPrepared(
  ctx: Context,
  answer: Answer,
  prepared: PreparedAnswer,
  { negotiated, repeater }: { negotiated: boolean; repeater?: Repeater | undefined },
): Promise<void> {
  const { req, res } = ctx;
  const { status, headers } = answer;
  const encoding = encodingFor(ctx, prepared);
  const bytes = await prepared.encoded(encoding);
  const etag = prepared.etag(encoding);
  const fields = [...headerFields(ctx), 'ETag', etag];
  for (const name in headers) fields.push(name, headers[name]!);
  for (const name in prepared.fields) fields.push(name, prepared.fields[name]!);
  const vary = varyOf(prepared.compressible, negotiated);
  if (vary) fields.push('Vary', vary);
  ctx.respond = false;
  if (isCurrent(ctx, status, etag)) {
    res.writeHead(304, fields).end();
    return;
  }
  if (encoding !== 'identity') fields.push('Content-Encoding', encoding);
  fields.push('Content-Type', prepared.type, 'Content-Length', String(bytes.length));
  if (answer.again && status === 200)
    repeater?.remember(ctx, { again: answer.again, encoding, fields });
  res.writeHead(status, fields).end(req.method === 'HEAD' ? undefined : bytes);
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
