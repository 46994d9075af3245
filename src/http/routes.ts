/** The routes of a set of operations: parse, check, handle, answer. */
import { Router, type RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { checkAnswer, checkRequest } from '../contract/check.ts';
import type { Operation, Request } from '../contract/operation.ts';
import { PreparedAnswer } from '../contract/prepared.ts';
import { allowAnyOrigin, answerPreflight } from './cors.ts';
import { sendPrepared } from './send-prepared.ts';

export interface RouterOptions {
  /** Prefix of all paths, e.g. `/api` */
  basePath: string;
  /** In tests: an answer that departs from its declaration fails the request */
  checkAnswers?: boolean;
}

export function contractRoutes(
  operations: readonly Operation[],
  options: RouterOptions,
): Middleware {
  const router = new Router({ prefix: options.basePath || undefined });
  for (const op of operations) {
    const path = op.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const requestOf = requestReader(op);
    router[op.method](op.id, path, async (ctx) => {
      // Before all that may fail: a page must be able to read what was wrong, too.
      if (op.auth === 'none') allowAnyOrigin(ctx);
      const answer = await op.handle(requestOf(ctx));
      if (options.checkAnswers) checkAnswer(op, answer);
      ctx.status = answer.status;
      ctx.set(answer.headers ?? {});
      if (answer.body instanceof PreparedAnswer) await sendPrepared(ctx, answer.body);
      else ctx.body = answer.body;
    });
  }
  const routes = router.routes();
  const methods = router.allowedMethods();
  const open = new Set(operations.filter((op) => op.auth === 'none').map((op) => op.id));
  const isOpen = ({ matched }: Pick<RouterContext, 'matched'>) =>
    matched?.some(({ name }) => open.has(name ?? '')) ?? false;
  return async (ctx, next) => {
    await routes(ctx as never, () => methods(ctx as never, next));
    if (ctx.method === 'OPTIONS' && isOpen(ctx as never)) answerPreflight(ctx);
  };
}

/** Good GET requests of an operation that are remembered by their URL */
const REMEMBERED_REQUESTS = 1_000;

/** Checking a request takes as long as sending an answer from a cache, so its check is cached too. */
function requestReader(op: Operation): (ctx: RouterContext) => Request {
  const check = (ctx: RouterContext) =>
    checkRequest(op, {
      params: ctx.params,
      query: ctx.query,
      body: (ctx.request as { body?: unknown }).body,
    });
  if (op.method !== 'get') return check;
  const checked = new LRUCache<string, Request>({ max: REMEMBERED_REQUESTS });
  return (ctx) => {
    let request = checked.get(ctx.url);
    if (!request) {
      request = check(ctx);
      checked.set(ctx.url, request);
    }
    return request;
  };
}
