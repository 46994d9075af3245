/** Sends a prepared answer: 304 where the client has it, else in the best encoding that it takes. */
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import type { Answer } from '../../contract/operation.ts';
import type { Encoding, PreparedAnswer } from '../../contract/prepared.ts';
import { headerFields } from './header-fields.ts';

/**
 * By node's own means: Koa would look at each field and at the body again, which takes as long as
 * all the rest.
 * @param negotiated whether the Accept header has chosen the answer
 */
export async function sendPrepared(
  ctx: Context,
  { status, headers }: Answer,
  prepared: PreparedAnswer,
  negotiated: boolean,
): Promise<void> {
  const { req, res } = ctx;
  const encoding = prepared.compressible ? encodingFor(ctx) : 'identity';
  const bytes = await prepared.encoded(encoding);
  const etag = prepared.etag(encoding);
  const fields = [...headerFields(ctx), 'ETag', etag];
  for (const name in headers) fields.push(name, headers[name]!);
  const vary = variesWith(prepared.compressible, negotiated);
  if (vary) fields.push('Vary', vary);
  ctx.respond = false;
  if (isKnown(ctx, status, etag)) {
    res.writeHead(304, fields).end();
    return;
  }
  if (encoding !== 'identity') fields.push('Content-Encoding', encoding);
  fields.push('Content-Type', prepared.type, 'Content-Length', String(bytes.length));
  res.writeHead(status, fields).end(req.method === 'HEAD' ? undefined : bytes);
}

function variesWith(compressible: boolean, negotiated: boolean): string | undefined {
  if (compressible) return negotiated ? 'Accept-Encoding, Accept' : 'Accept-Encoding';
  return negotiated ? 'Accept' : undefined;
}

/** Few ask whether what they have still holds: theirs is for Koa to read. */
function isKnown(ctx: Context, status: number, etag: string): boolean {
  if (ctx.req.headers['if-none-match'] === undefined) return false;
  ctx.res.statusCode = status;
  ctx.res.setHeader('ETag', etag);
  return ctx.fresh;
}

/** All clients together send a handful of different headers, and reading one takes long. */
const known = new LRUCache<string, Encoding>({ max: 100 });

function encodingFor(ctx: Context): Encoding {
  const header = String(ctx.req.headers['accept-encoding'] ?? '');
  let encoding = known.get(header);
  if (encoding === undefined) {
    encoding = bestEncoding(ctx);
    known.set(header, encoding);
  }
  return encoding;
}

/** Browsers name gzip first and want all alike; br is the smallest. */
function bestEncoding(ctx: Context): Encoding {
  if (ctx.acceptsEncodings('br')) return 'br';
  return ctx.acceptsEncodings('gzip') ? 'gzip' : 'identity';
}
