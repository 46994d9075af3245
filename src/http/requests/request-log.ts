/**
 * Logs one line per request, with an id that links all log lines of the request, and reports the request
 * to the metrics.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
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

/**
 * Returns a path as it is logged: without tokens, and without the ids of pending authorization requests
 * (`oauth/authorization.ts`). Queries, which may contain private data, are never logged.
 */
export const loggedPath = (path: string) =>
  redactTokens(path).replace(/^(\/(?:authorize|connect)\/[^/]{3})[^/]+/i, '$1…');

/** Receives every finished request. */
export interface RequestObserver {
  /** @param operation undefined if no operation has the path */
  began(): void;
  ended(operation: string | undefined, status: number | 'aborted', seconds: number): void;
}

/** A request, as Koa or `repeat.ts` knows it */
export interface LoggedRequest {
  req: IncomingMessage;
  res: ServerResponse;
  method: string;
  path: string;
  /** The path as it is logged, if it is known */
  loggedPath?: string;
  state: Context['state'];
}

/**
 * Gives a request its id. Logs it and reports it to the metrics when its response is sent, or when the
 * client has disconnected.
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
      line.path = request.loggedPath ?? loggedPath(request.path);
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
    // A repeated request begins only after it's counted. The client may have disconnected meanwhile.
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

/** Returns the fields of every log line of a request: its id, its trace, and its caller. */
export function requestFields(ctx: Pick<Context, 'state'>): Record<string, unknown> {
  const { requestId, trace } = ctx.state as { requestId: string; trace?: Trace };
  const caller = callerAt(ctx);
  return {
    requestId,
    ...(trace && { traceId: trace.traceId, spanId: trace.spanId, parentSpanId: trace.parentId }),
    ...(caller && callerFields(caller)),
  };
}
