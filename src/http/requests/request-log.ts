/** Logs one line per request, with an id that links all log lines of the request. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Middleware } from 'koa';
import { redactTokens } from '../../share/token.ts';
import { headerFields } from '../answers/header-fields.ts';
import { hasDisconnected } from './disconnect.ts';

/** A proxy's request id is kept if it's safe to log. */
const SAFE_ID = /^[\w.-]{1,64}$/;

/** Removes the ids of pending authorization requests: see `oauth/authorization.ts`. */
const withoutRequestIds = (path: string) =>
  path.replace(/^(\/(?:authorize|connect)\/[^/]{3})[^/]+/i, '$1…');

export function requestLog(log: Logger): Middleware {
  return (ctx, next) => {
    // Node's own objects: the log line is the most expensive part of a cached answer.
    const { req, res } = ctx;
    const sent = req.headers['x-request-id'];
    const isSafe = typeof sent === 'string' && SAFE_ID.test(sent);
    const requestId = isSafe ? sent : randomUUID();
    ctx.state.requestId = requestId;
    headerFields(ctx).push('X-Request-Id', requestId);
    const startedAt = performance.now();
    res.once('close', () => {
      const ms = Math.round(performance.now() - startedAt);
      // The path only: a query may contain private data.
      const { method } = ctx;
      const path = withoutRequestIds(redactTokens(ctx.path));
      if (hasDisconnected(res)) log.info({ requestId, method, path, ms, aborted: true }, 'request');
      else log.info({ requestId, method, path, status: res.statusCode, ms }, 'request');
    });
    return next();
  };
}
