/** Serves a set of operations: parses and checks requests, runs handlers, and sends answers. */
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { checkAnswer, checkFailure, checkRequest } from '../contract/check.ts';
import { checkDeprecation } from '../contract/deprecation.ts';
import {
  typesToChoose,
  type Answer,
  type Operation,
  type Request,
  type RequestInput,
} from '../contract/operation.ts';
import { PreparedAnswer } from '../contract/prepared.ts';
import { methodNotAllowed, notAcceptable, ServiceError } from '../errors.ts';
import { clientAt } from './requests/client-address.ts';
import { answerOptions } from './answers/cors.ts';
import { callerAt } from './sign-in/credentials.ts';
import { routeFinder, routeFound } from './requests/find-operation.ts';
import { requestFields } from './requests/request-log.ts';
import { disconnectSignal } from './requests/disconnect.ts';
import { readFileBody } from './requests/file-body.ts';
import { readForm } from './requests/form-body.ts';
import { readJsonBody } from './requests/json-body.ts';
import type { Repeater } from './answers/repeat.ts';
import { sendPrepared } from './answers/send-prepared.ts';

export interface RouterOptions {
  /** Prefix of all paths, such as `/api` */
  basePath: string;
  /** For tests: answers and errors that aren't declared fail the request */
  checkAnswers?: boolean;
  /** Default: all requests are handled */
  repeater?: Repeater;
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

function handlerOf(op: Operation, { checkAnswers, repeater }: RouterOptions) {
  if (op.deprecated) checkDeprecation(op.deprecated);
  const requestOf = requestReader(op);
  const negotiated = typesToChoose(op) !== undefined;
  const withoutBody: Handle = (ctx, params) =>
    op.handle(requestWith(requestOf(ctx, params), ctx, op.file?.bytes));
  const readBody = (req: IncomingMessage): Promise<unknown> =>
    op.form ? readForm(req, op.uploadBytes) : readJsonBody(req);
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
      await sendPrepared(ctx, answer, prepared, { negotiated, repeater });
      return;
    }
    ctx.status = answer.status;
    for (const name in answer.headers) ctx.res.setHeader(name, answer.headers[name]!);
    if (answer.cookies) ctx.res.setHeader('Set-Cookie', answer.cookies);
    ctx.body = answer.body;
    if (negotiated) ctx.vary('Accept');
  };
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

const requestWith = (input: RequestInput, ctx: Context, fileBytes = 0): Request => ({
  ...input,
  caller: callerAt(ctx),
  client: clientAt(ctx),
  target: ctx.req.url!,
  headers: ctx.req.headers,
  get file() {
    return readFileBody(ctx.req, fileBytes);
  },
  get signal() {
    return disconnectSignal(ctx.res);
  },
  identify: (caller) => void (ctx.state.caller = caller),
  logFields: () => requestFields(ctx),
});

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
