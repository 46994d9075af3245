/** Serves a set of operations: parses and checks requests, runs handlers, and sends answers. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { z } from 'zod';
import { checkAnswer, checkFailure, checkRequest } from '../../base/contract/check.ts';
import { checkDeprecation } from '../../base/contract/deprecation.ts';
import {
  typesToChoose,
  type Answer,
  type Operation,
  type Request,
  type RequestCaller,
  type RequestInput,
} from '../../base/contract/operation.ts';
import { PreparedAnswer } from '../../base/contract/prepared.ts';
import { callerAsOf } from '../../people/account/days/as-of.ts';
import { requireMeteredRights } from '../../people/metering/require-access.ts';
import { methodNotAllowed, notAcceptable, ServiceError } from '../../errors.ts';
import { clientAt } from './requests/client-address.ts';
import { answerOptions } from './answers/cors.ts';
import { callerAt } from './sign-in/credentials.ts';
import { routeFinder, routeFound } from './requests/find-operation.ts';
import { requestFields } from './requests/request-log.ts';
import { disconnectSignal } from './requests/disconnect.ts';
import { readFileBody } from './requests/file-body.ts';
import { isForm, readForm } from './requests/form-body.ts';
import { readJsonBody } from './requests/json-body.ts';
import { sendPrepared } from './answers/send-prepared.ts';

export interface RouterOptions {
  /** Prefix of all paths, such as `/api` */
  basePath: string;
  /** For tests: answers and errors that aren't declared fail the request */
  checkAnswers?: boolean;
}

export function contractRoutes(
  operations: readonly Operation[],
  options: RouterOptions,
): Middleware {
  const handlers = new Map(operations.map((op) => [op, handlerOf(op, options)]));
  const routeOf = routeFinder(operations, options.basePath);
  return (ctx, next) => {
    const route = routeFound(ctx) ?? routeOf(ctx);
    if (!route || !handlers.has(route.operation)) return next();
    if (route.answering) return handlers.get(route.answering)!(ctx, route.params);
    ctx.set('Allow', route.allowed);
    if (ctx.method !== 'OPTIONS')
      throw methodNotAllowed(`${ctx.path} supports ${route.allowed}. Use one of these methods.`);
    answerOptions(ctx);
    return Promise.resolve();
  };
}

function handlerOf(op: Operation, { checkAnswers }: RouterOptions) {
  if (op.deprecated) checkDeprecation(op.deprecated);
  const requestOf = requestReader(op);
  const asOfIn = asOfReader(op);
  const negotiated = typesToChoose(op) !== undefined;
  const withoutBody: Handle = async (ctx, params) => {
    const request = new HandlerRequest(requestOf(ctx, params), ctx, op.file?.bytes);
    if (op.needs) await requireMeteredRights(request.caller, op);
    const asOf = asOfIn?.(request);
    // Signed URLs have no caller. Their operation opens them.
    if (asOf !== undefined && op.auth !== 'bearer-if-private') {
      request.caller = await callerAsOf(request.caller, asOf);
    }
    return op.handle(request);
  };
  const readBody = async (req: IncomingMessage): Promise<unknown> => {
    if (op.form) return readForm(req, op.uploadBytes);
    if (op.formBody && isForm(req)) return (await readForm(req)).toRecord();
    return readJsonBody(req, op.bodyBounds);
  };
  const handled: Handle = op.body
    ? async (ctx, params) => {
        await op.beforeBody?.(ctx.req);
        (ctx.request as { body?: unknown }).body = await readBody(ctx.req);
        return withoutBody(ctx, params);
      }
    : withoutBody;
  const answerOf = checkAnswers ? withAnswerChecks(op, handled) : handled;
  return async (ctx: Context, params: Record<string, string>): Promise<void> => {
    const answer = await answerOf(ctx, params);
    const prepared = preparedAnswerOf(op, answer);
    if (prepared) {
      await sendPrepared(ctx, answer, prepared, negotiated);
      return;
    }
    ctx.status = answer.status;
    if (answer.headers) ctx.set(answer.headers);
    if (answer.cookies) ctx.set('Set-Cookie', [...answer.cookies]);
    ctx.body = answer.body;
    if (negotiated) ctx.vary('Accept');
  };
}

/**
 * Returns a function that reads the day or moment of a request, if the operation declares the field `asOf`, which always
 * has the same meaning: see `base/contract/as-of.ts`. Pages read their own queries.
 */
function asOfReader(op: Operation): ((request: RequestInput) => string | undefined) | undefined {
  const place = (['query', 'body'] as const).find(
    (one) => 'asOf' in ((op[one] as z.ZodObject | undefined)?.shape ?? {}),
  );
  return place && ((request) => (request[place] as { asOf?: string }).asOf);
}

type Handle = (ctx: Context, params: Record<string, string>) => Promise<Answer>;

/** Returns a prepared answer for each cacheable response, so that it gets an ETag. */
function preparedAnswerOf(
  op: Operation,
  { status, body, headers }: Answer,
): PreparedAnswer | undefined {
  if (body instanceof PreparedAnswer) return body;
  if (op.method !== 'get' || status !== 200) return undefined;
  return headers?.['Cache-Control'] === 'no-store'
    ? undefined
    : new PreparedAnswer(JSON.stringify(body));
}

function withAnswerChecks(op: Operation, handled: Handle): Handle {
  return async (ctx, params) => {
    try {
      const answer = await handled(ctx, params);
      checkAnswer(op, answer);
      return answer;
    } catch (error) {
      if (error instanceof ServiceError) checkFailure(op, error);
      throw error;
    }
  };
}

/** What a handler gets. Its accessors are those of a class, because making an object with accessors is slow. */
class HandlerRequest implements Request {
  readonly #ctx: Context;
  readonly #fileBytes: number;
  readonly params: Request['params'];
  readonly query: Request['query'];
  readonly body: unknown;
  readonly type?: string;
  caller: RequestCaller;
  readonly client: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;

  constructor({ params, query, body, type }: RequestInput, ctx: Context, fileBytes = 0) {
    this.#ctx = ctx;
    this.#fileBytes = fileBytes;
    this.params = params;
    this.query = query;
    this.body = body;
    if (type !== undefined) this.type = type;
    this.caller = callerAt(ctx)!;
    this.client = clientAt(ctx);
    this.target = ctx.req.url!;
    this.headers = ctx.req.headers;
  }

  get file() {
    return readFileBody(this.#ctx.req, this.#fileBytes);
  }

  get signal() {
    return disconnectSignal(this.#ctx.res);
  }

  identify(caller: unknown): void {
    this.#ctx.state.caller = caller;
  }

  logFields() {
    return requestFields(this.#ctx);
  }
}

type ReadRequest = (ctx: Context, params: Record<string, string>) => RequestInput;

function requestReader(op: Operation): ReadRequest {
  const types = typesToChoose(op);
  return (ctx, params) => {
    const { query, request } = ctx;
    const input = checkRequest(op, { params, query, body: (request as { body?: unknown }).body });
    return types ? { ...input, type: chosenType(ctx, types) } : input;
  };
}

/** @throws ServiceError 406 if the client accepts none of the types */
function chosenType(ctx: Context, types: readonly string[]): string {
  const chosen = ctx.accepts([...types]);
  if (chosen) return chosen;
  throw notAcceptable(
    `The Accept header matches none of the available types. Omit it, or use one of: ${types.join(', ')}.`,
  );
}
