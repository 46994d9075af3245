/**
 * CORS (Fetch standard, 3.2). Web pages of any origin may read answers that need no credential, because our
 * maps are shown on other sites, and may send requests with a bearer token, as agents in browsers do. They
 * can't use cookies: browsers hide answers to requests with cookies unless
 * `Access-Control-Allow-Credentials` is sent, and we never send it.
 */
import type { Context } from 'koa';
import type { Operation } from '../../../base/contract/operation.ts';
import type { Headers } from './common-headers.ts';
import { operationAt } from '../requests/find-operation.ts';
import type { Step } from '../requests/steps.ts';

/** Runs before all steps that may fail, so that pages can read errors too. */
export const allowAnyOrigin: Step = (ctx) => {
  const operation = operationAt(ctx);
  const isSession = isKeyed(operation) && ctx.headers.cookie && !ctx.headers.authorization;
  if (!operation?.private && !isSession) ctx.set(isKeyed(operation) ? FOR_KEYS : ANY_ORIGIN);
};

const isKeyed = (operation: Operation | undefined) =>
  operation !== undefined && operation.auth !== 'none';

const ANY_ORIGIN: Headers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
};

/** Also lists the headers by name, for clients that don't know the wildcard. */
const FOR_KEYS: Headers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    '*, Mcp-Protocol-Version, Mcp-Session-Id, RateLimit, RateLimit-Policy, Retry-After, ' +
    'Service-Version, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, ' +
    'X-RateLimit-Reset, X-Request-Id',
};

/** The wildcard doesn't include `Authorization`. */
const REQUEST_HEADERS_WITH_KEY =
  '*, Authorization, Accept, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, ' +
  'Mcp-Protocol-Version, Mcp-Session-Id';

/** Answers OPTIONS, including preflight requests, which browsers may cache for a day. */
export function answerOptions(ctx: Context): void {
  ctx.status = 204;
  const operation = operationAt(ctx);
  if (operation?.private) return;
  ctx.set({
    'Access-Control-Allow-Methods': ctx.response.get('Allow'),
    'Access-Control-Allow-Headers': isKeyed(operation) ? REQUEST_HEADERS_WITH_KEY : '*',
    'Access-Control-Max-Age': '86400',
  });
}
