/** The target of a request: brought into one form first, refused later if it cannot be read. */
import type { IncomingMessage } from 'node:http';
import { badRequest, ServiceError } from '../../errors.ts';
import type { Step } from './steps.ts';

/** Bytes. Nothing of ours has so long an address; node itself stops at 16 kB of head in all. */
const LONGEST_TARGET = 8 * 1024;

/**
 * Makes `GET http://host/path` the same as `GET /path` (RFC 9112, 3.2.2). Before Koa looks at the path: it fails
 * wherever that of an unreadable target is asked for, even by the log.
 */
export const originForm: Step = (ctx) => {
  const { url = '' } = ctx.req;
  if (!url.startsWith('/') && url !== '*') {
    const absolute = URL.canParse(url) ? new URL(url) : undefined;
    ctx.state.unreadable = absolute === undefined;
    ctx.req.url = absolute ? `${absolute.pathname}${absolute.search}` : '*';
  }
};

/** @throws ServiceError 400 or 414 that says what is wrong with the target */
export const wellFormed: Step = (ctx) => {
  if (ctx.state.unreadable) throw badRequest('The address of the request cannot be read.');
  refuseMalformed(ctx.req);
};

function refuseMalformed({ url = '', headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === '1.1') {
    throw badRequest('The Host header is missing.');
  }
  if (url.length > LONGEST_TARGET) {
    throw new ServiceError(
      414,
      'uri_too_long',
      `The address has ${url.length} bytes; at most ${LONGEST_TARGET} are read.`,
    );
  }
  if (!url.includes('%')) return;
  const [path = ''] = url.split('?');
  if (!isDecodable(path)) {
    throw badRequest('The path has a % that starts no character: one in its own right is %25.');
  }
  // No name has it, and PostgreSQL takes no text with it.
  if (url.includes('%00')) throw badRequest('The address holds the character %00.');
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
