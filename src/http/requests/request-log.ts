/** One log line a request, and an id that goes through all that is logged of it. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Middleware } from 'koa';
import { redactTokens } from '../../share/token.ts';
import { headerFields } from '../answers/header-fields.ts';
import { hasDisconnected } from './disconnect.ts';

/** An id given by a proxy before us is kept if it is harmless to log. */
const ACCEPTABLE_ID = /^[\w.-]{1,64}$/;

/** Without the names of connectors' requests under way: see `oauth/authorization.ts`. */
const withoutRequests = (path: string) =>
  path.replace(/^(\/(?:authorize|connect)\/[^/]{3})[^/]+/i, '$1…');

export function requestLog(log: Logger): Middleware {
  return (ctx, next) => {
    // Node's own requests and answers: a line of the log is what costs most of a cached answer.
    const { req, res } = ctx;
    const given = req.headers['x-request-id'];
    const isGood = typeof given === 'string' && ACCEPTABLE_ID.test(given);
    const requestId = isGood ? given : randomUUID();
    ctx.state.requestId = requestId;
    headerFields(ctx).push('X-Request-Id', requestId);
    const startedAt = performance.now();
    res.once('close', () => {
      const ms = Math.round(performance.now() - startedAt);
      // The path alone: a query may hold what people would not want to find in logs.
      const { method } = ctx;
      const path = withoutRequests(redactTokens(ctx.path));
      if (hasDisconnected(res)) log.info({ requestId, method, path, ms, aborted: true }, 'request');
      else log.info({ requestId, method, path, status: res.statusCode, ms }, 'request');
    });
    return next();
  };
}
