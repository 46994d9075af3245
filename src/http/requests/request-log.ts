/**
 * Logs one line per request, with an id that links all log lines of the request, and reports the request
 * to the metrics.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Context, Middleware } from 'koa';
import { callerFields } from '../../account/caller.ts';
import { redactTokens } from '../../share/token.ts';
import { traceOf, withinTrace, type Trace } from '../../trace.ts';
import { headerFields } from '../answers/header-fields.ts';
import { callerAt } from '../sign-in/credentials.ts';
import { hasDisconnected } from './disconnect.ts';
import { routeFound } from './find-operation.ts';

/** A proxy's request id is kept if it's safe to log. */
const SAFE_ID = /^[\w.-]{1,64}$/;

/** Removes the ids of pending authorization requests: see `oauth/authorization.ts`. */
const withoutRequestIds = (path: string) =>
  path.replace(/^(\/(?:authorize|connect)\/[^/]{3})[^/]+/i, '$1…');

/** Receives every finished request. */
export interface RequestObserver {
  /** @param operation undefined if no operation has the path */
  began(): void;
  ended(operation: string | undefined, status: number | 'aborted', seconds: number): void;
}

export function requestLog(log: Logger, observer?: RequestObserver): Middleware {
  return (ctx, next) => {
    // Node's own objects: the log line is the most expensive part of a cached answer.
    const { req, res } = ctx;
    const sent = req.headers['x-request-id'];
    const isSafe = typeof sent === 'string' && SAFE_ID.test(sent);
    const requestId = isSafe ? sent : randomUUID();
    ctx.state.requestId = requestId;
    headerFields(ctx).push('X-Request-Id', requestId);
    const trace = traceOf(req.headers.traceparent);
    if (trace) ctx.state.trace = trace;
    const startedAt = performance.now();
    observer?.began();
    res.once('close', () => {
      const ms = performance.now() - startedAt;
      const aborted = hasDisconnected(res);
      const { method } = ctx;
      // The path only: a query may contain private data.
      const path = withoutRequestIds(redactTokens(ctx.path));
      const outcome = aborted ? { aborted } : { status: res.statusCode };
      log.info({ ...requestFields(ctx), method, path, ...outcome, ms: Math.round(ms) }, 'request');
      observer?.ended(
        routeFound(ctx)?.operation.id,
        aborted ? 'aborted' : res.statusCode,
        ms / 1000,
      );
    });
    return trace ? withinTrace(trace, next) : next();
  };
}

/** What every log line of a request has: its id, its trace, and who sent it. */
export function requestFields(ctx: Pick<Context, 'state'>): Record<string, unknown> {
  const { requestId, trace } = ctx.state as { requestId: string; trace?: Trace };
  const caller = callerAt(ctx);
  return {
    requestId,
    ...(trace && { traceId: trace.traceId, spanId: trace.spanId, parentSpanId: trace.parentId }),
    ...(caller && callerFields(caller)),
  };
}
