/** The routes of a set of operations: parse, check, handle, answer. */
import { Router } from '@koa/router';
import type { ServerResponse } from 'node:http';
import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
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
import { answerOptions } from './cors.ts';
import { hangUpSignal } from './hang-up.ts';
import { sendPrepared } from './send-prepared.ts';

export interface RouterOptions {
  /** Prefix of all paths, e.g. `/api` */
  basePath: string;
  /** In tests: an answer or error that departs from its declaration fails the request */
  checkAnswers?: boolean;
}

export function contractRoutes(
  operations: readonly Operation[],
  options: RouterOptions,
): Middleware {
  const handlers = new Map(operations.map((op) => [op.id, handlerOf(op, options)]));
  const routeOf = routeFinder(operations, options.basePath);
  return (ctx, next) => {
    const route = routeOf(ctx.method, ctx.path);
    if (!route) return next();
    if (route.id !== undefined) return handlers.get(route.id)!(ctx, route.params);
    ctx.set('Allow', route.allowed);
    if (ctx.method !== 'OPTIONS') throw methodNotAllowed(`${ctx.path} answers ${route.allowed}.`);
    answerOptions(ctx);
    return Promise.resolve();
  };
}

interface Route {
  /** Of the operation; undefined: there is none for the method */
  id: string | undefined;
  params: Record<string, string>;
  /** Methods that the path answers */
  allowed: string;
}

/** Paths with their methods that are remembered: finding a route takes longer than the rest. */
const REMEMBERED_ROUTES = 2_000;

/** The route of a method and a path; undefined where no operation has the path. */
function routeFinder(operations: readonly Operation[], basePath: string) {
  const router = new Router({ prefix: basePath || undefined });
  for (const op of operations) router[op.method](op.id, routePath(op), () => {});
  const known = new LRUCache<string, { route: Route | undefined }>({ max: REMEMBERED_ROUTES });
  return (method: string, path: string): Route | undefined => {
    const key = `${method} ${path}`;
    let found = known.get(key);
    if (!found) {
      found = { route: matched(router, method, path) };
      known.set(key, found);
    }
    return found.route;
  };
}

function matched(router: Router, method: string, path: string): Route | undefined {
  const { path: layers, pathAndMethod } = router.match(path, method);
  if (layers.length === 0) return undefined;
  const [layer] = pathAndMethod;
  return {
    id: layer?.name,
    params: layer?.params(path, layer.captures(path)) ?? {},
    allowed: [...new Set(layers.flatMap(({ methods }) => methods))].join(', '),
  };
}

function handlerOf(op: Operation, options: RouterOptions) {
  if (op.deprecated) checkDeprecation(op.deprecated);
  const requestOf = requestReader(op);
  const negotiated = typesToChoose(op) !== undefined;
  return async (ctx: Context, params: Record<string, string>): Promise<void> => {
    const request = () => new SignalledRequest(requestOf(ctx, params), ctx.res);
    const answer = await answerOf(op, request, options);
    ctx.status = answer.status;
    for (const name in answer.headers) ctx.res.setHeader(name, answer.headers[name]!);
    const prepared = revalidatable(op, answer);
    if (prepared) await sendPrepared(ctx, prepared);
    else ctx.body = answer.body;
    if (negotiated) ctx.vary('Accept');
  };
}

/** An operation's path as the router writes it. */
export const routePath = ({ path }: Operation) => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** What a client may keep and ask for again has an ETag, also where it is made for each request. */
function revalidatable(
  op: Operation,
  { status, body, headers }: Answer,
): PreparedAnswer | undefined {
  if (body instanceof PreparedAnswer) return body;
  if (op.method !== 'get' || status !== 200) return undefined;
  return headers?.['Cache-Control'] === 'no-store'
    ? undefined
    : new PreparedAnswer(JSON.stringify(body));
}

async function answerOf(
  op: Operation,
  request: () => Request,
  { checkAnswers }: RouterOptions,
): Promise<Answer> {
  try {
    const answer = await op.handle(request());
    if (checkAnswers) checkAnswer(op, answer);
    return answer;
  } catch (error) {
    if (checkAnswers && error instanceof ServiceError) checkFailure(op, error);
    throw error;
  }
}

/**
 * A signal costs as much as checking a request: it is made for who asks for it. A class, since
 * making an object with a getter of its own takes as long as sending the answer.
 */
class SignalledRequest implements Request {
  readonly params: Request['params'];
  readonly query: Request['query'];
  readonly body: Request['body'];
  readonly type: Request['type'];
  readonly #res: ServerResponse;

  constructor({ params, query, body, type }: RequestInput, res: ServerResponse) {
    this.params = params;
    this.query = query;
    this.body = body;
    this.type = type;
    this.#res = res;
  }

  get signal(): AbortSignal {
    return hangUpSignal(this.#res);
  }
}

type ReadRequest = (ctx: Context, params: Record<string, string>) => RequestInput;

function requestReader(op: Operation): ReadRequest {
  const types = typesToChoose(op);
  const read = inputReader(op);
  return types ? (ctx, params) => ({ ...read(ctx, params), type: chosenType(ctx, types) }) : read;
}

/** @throws ServiceError 406 if the client takes none of them */
function chosenType(ctx: Context, types: readonly string[]): string {
  const chosen = ctx.accepts([...types]);
  if (chosen) return chosen;
  throw notAcceptable(`${ctx.path} comes as ${types.join(', ')}; the Accept header takes none.`);
}

/** Good GET requests of an operation that are remembered by their URL */
const REMEMBERED_REQUESTS = 1_000;

/** Checking a request takes as long as sending an answer from a cache, so its check is cached too. */
function inputReader(op: Operation): ReadRequest {
  const check: ReadRequest = (ctx, params) =>
    checkRequest(op, {
      params,
      query: ctx.query,
      body: (ctx.request as { body?: unknown }).body,
    });
  if (op.method !== 'get') return check;
  const checked = new LRUCache<string, RequestInput>({ max: REMEMBERED_REQUESTS });
  return (ctx, params) => {
    let request = checked.get(ctx.url);
    if (!request) {
      request = check(ctx, params);
      checked.set(ctx.url, request);
    }
    return request;
  };
}
