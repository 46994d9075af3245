/** Normalizes the request target. A later step refuses malformed ones. */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { badRequest, ServiceError } from '../../../errors.ts';
import { decodePart } from '../../../base/text/decode-part.ts';
import { refuseUnstorable } from './form-fields.ts';
import type { Step } from './steps.ts';

/** In bytes. Longer than all of our URLs; Node itself limits the request head to 16 kB. */
const MAX_TARGET_BYTES = 8 * 1024;

/**
 * Rewrites `GET http://host/path` to `GET /path` (RFC 9112, 3.2.2). This runs first, because Koa throws
 * when code reads the path of an unreadable target, even for the log.
 */
export const originForm: Step = (ctx) => {
  const { url = '' } = ctx.req;
  if (!url.startsWith('/') && url !== '*') {
    const absolute = URL.canParse(url) ? new URL(url) : undefined;
    ctx.state.unreadable = absolute === undefined;
    ctx.req.url = absolute ? `${absolute.pathname}${absolute.search}` : '*';
  }
};

/** @throws ServiceError 400 or 414 if the target is malformed or too long */
export const wellFormed: Step = (ctx) => {
  if (ctx.state.unreadable)
    throw badRequest('The URL of the request is malformed. Percent-encode special characters.');
  refuseEndlessBody(ctx);
  refuseMalformed(ctx.req);
};

/**
 * Refuses bodies in other transfer codings, which end only when the client closes the connection (RFC 9112,
 * 6.3). `server.ts` closes it after the answer.
 */
function refuseEndlessBody({ req }: Context): void {
  const coding = req.headers['transfer-encoding'];
  if (coding === undefined || /^(.*,)?\s*chunked\s*$/i.test(coding)) return;
  throw badRequest('Transfer-Encoding must be chunked. Use it, or Content-Length, instead.');
}

function refuseMalformed({ url = '', headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === '1.1') {
    throw badRequest('The Host header is missing. Send it: HTTP/1.1 requires it.');
  }
  if (url.length > MAX_TARGET_BYTES) {
    throw new ServiceError(
      414,
      'uri_too_long',
      `The URL has ${url.length.toLocaleString('en')} bytes; the limit is ${MAX_TARGET_BYTES.toLocaleString('en')}. Shorten the query.`,
    );
  }
  if (!url.includes('%')) return;
  const at = url.indexOf('?');
  const [path, query] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
  const decoded = decodePart(path);
  if (decoded === undefined) {
    throw badRequest('The path contains an invalid % sequence. Write a literal % as %25.');
  }
  // The database can't store such text.
  if (decoded.includes('\0')) {
    throw badRequest('The path contains the character U+0000 (%00). Remove it.');
  }
  if (query.includes('%00')) refuseUnstorable(new URLSearchParams(query));
}
