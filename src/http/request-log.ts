/** One log line a request, and an id that goes through all that is logged of it. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Middleware } from 'koa';

/** An id given by a proxy before us is kept if it is harmless to log. */
const ACCEPTABLE_ID = /^[\w.-]{1,64}$/;

export function requestLog(log: Logger): Middleware {
  return async (ctx, next) => {
    const given = ctx.get('X-Request-Id');
    const requestId = ACCEPTABLE_ID.test(given) ? given : randomUUID();
    ctx.state.requestId = requestId;
    ctx.set('X-Request-Id', requestId);
    const startedAt = performance.now();
    ctx.res.once('close', () => {
      const ms = Math.round(performance.now() - startedAt);
      // The path alone: a query may hold what people would not want to find in logs.
      const line = { requestId, method: ctx.method, path: ctx.path, status: ctx.status, ms };
      if (ctx.res.writableFinished) log.info(line, 'request');
      else log.info({ ...line, aborted: true }, 'request');
    });
    await next();
  };
}
