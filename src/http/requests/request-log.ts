/**
 * Logs one line per request, with an id that all log lines of the request share, and reports the request to
 * the metrics.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Context, Middleware } from 'koa';
import { callerFields } from '../../account/caller.ts';
import { redactTokens } from '../../share/token.ts';
import type { RequestObserver } from '../../observe/requests.ts';
import { traceOf, withinTrace, type Trace } from '../../observe/trace.ts';
import { headerFields } from '../answers/header-fields.ts';
import { callerAt } from '../sign-in/credentials.ts';
import { hasDisconnected } from './disconnect.ts';
import { routeFound } from './find-operation.ts';

/** A request id from a proxy is kept if it's safe to log. */
const SAFE_ID = /^[\w.-]{1,64}$/;

/**
 * Returns a path for the log: without tokens, and without the ids of pending authorization requests
 * (`oauth/authorization.ts`). Queries may contain private data and are never logged.
 */
const loggedPath = (path: string) =>
  redactTokens(path).replace(/^(\/(?:authorize|connect)\/[^/]{3})[^/]+/i, '$1…');

/** A request, from Koa or from `answers/repeat.ts` */
export interface LoggedRequest {
  req: IncomingMessage;
  res: ServerResponse;
  method: string;
  path: string;
  state: Context['state'];
}

/**
 * Assigns an id to a request. Logs the request and reports it to the metrics when its response has been
 * sent or the client has disconnected.
 */
export type BeginRequest = (request: LoggedRequest, startedAt?: number) => Trace | undefined;

export function beginRequests(log: Logger, observer?: RequestObserver): BeginRequest {
  return (request, startedAt = performance.now()) => {
    const { req, res, state } = request;
    const sent = req.headers['x-request-id'];
    const isSafe = typeof sent === 'string' && SAFE_ID.test(sent);
    const requestId = isSafe ? sent : randomUUID();
    state.requestId = requestId;
    headerFields(request).push('X-Request-Id', requestId);
    const trace = traceOf(req.headers.traceparent);
    if (trace) state.trace = trace;
    observer?.began();
    const end = () => {
      const ms = performance.now() - startedAt;
      const aborted = hasDisconnected(res);
      const line = requestFields(request);
      line.method = request.method;
      line.path = loggedPath(request.path);
      if (aborted) line.aborted = true;
      else line.status = res.statusCode;
      line.ms = Math.round(ms);
      log.info(line, 'request');
      observer?.ended(
        routeFound(request)?.operation.id,
        aborted ? 'aborted' : res.statusCode,
        ms / 1000,
      );
    };
    // A repeated request begins after it has been counted, so the client may already have disconnected.
    if (res.closed) end();
    else res.on('close', end);
    return trace;
  };
}

export const requestLog = (log: Logger): Middleware => logBegun(beginRequests(log));

export const logBegun =
  (begin: BeginRequest): Middleware =>
  (ctx, next) => {
    const trace = begin(ctx);
    return trace ? withinTrace(trace, next) : next();
  };

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
