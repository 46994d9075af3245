/**
 * Logs one line per request, with an id that all log lines of the request share, and reports the request to
 * the metrics.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Context, Middleware } from 'koa';
import { callerFields } from '../../../people/account/caller.ts';
import type { RequestObserver } from '../../../base/observe/requests.ts';
import { traceOf, withinTrace, type Trace } from '../../../base/observe/trace.ts';
import { callerAt } from '../sign-in/credentials.ts';
import { hasDisconnected } from './disconnect.ts';
import { routeFound } from './find-operation.ts';

/** A request id from a proxy is kept if it's safe to log. */
const SAFE_ID = /^[\w.-]{1,64}$/;

/**
 * Assigns an id to a request. Logs the request and reports it to the metrics when its response has been
 * sent or the client has disconnected.
 */
export function requestLog(log: Logger, observer?: RequestObserver): Middleware {
  return (ctx, next) => {
    const startedAt = performance.now();
    const { req, res, state } = ctx;
    const sent = req.headers['x-request-id'];
    const isSafe = typeof sent === 'string' && SAFE_ID.test(sent);
    const requestId = isSafe ? sent : randomUUID();
    state.requestId = requestId;
    ctx.set('X-Request-Id', requestId);
    const trace = traceOf(req.headers.traceparent);
    if (trace) state.trace = trace;
    observer?.began();
    res.on('close', () => {
      const ms = performance.now() - startedAt;
      const aborted = hasDisconnected(res);
      const line = requestFields(ctx);
      line.method = ctx.method;
      line.path = loggedPath(ctx.path);
      if (aborted) line.aborted = true;
      else line.status = res.statusCode;
      line.ms = Math.round(ms);
      log.info(line, 'request');
      const status = aborted ? 'aborted' : res.statusCode;
      observer?.ended(routeFound(ctx)?.operation.id, status, ms / 1000);
    });
    return trace ? withinTrace(trace, next) : next();
  };
}

/** Returns the fields that all log lines of a request share: its id, its trace, and its caller. */
export function requestFields(ctx: Pick<Context, 'state'>): Record<string, unknown> {
  const { requestId, trace } = ctx.state as { requestId: string; trace?: Trace };
  const caller = callerAt(ctx);
  return {
    requestId,
    ...(trace && { traceId: trace.traceId, spanId: trace.spanId, parentSpanId: trace.parentId }),
    ...(caller && callerFields(caller)),
  };
}

/** Segments after which a path has a secret: the token of a link, or the id of a pending authorization request */
const BEFORE_SECRETS = [
  's',
  'p',
  'shared',
  'shared-plans',
  'shares',
  'find',
  'locators',
  'authorize',
  'connect',
  'password',
  'invite',
  'signup',
  'unsubscribe',
].join('|');

/** A static map of a share link has its code in the segment `share:{code}`. */
const SECRETS = new RegExp(
  String.raw`((?:/(?:${BEFORE_SECRETS})/+(?!forgot$)|share(?::|%3a))[^/]{3})[^/]+`,
  'gi',
);

/**
 * Shortens the secrets in a path. A whole one gives access, but its start is enough to identify it. Queries may contain
 * private data and are never logged.
 */
export const loggedPath = (path: string) => path.replace(SECRETS, '$1…');
