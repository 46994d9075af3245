/** The routes of a set of operations: parse, check, handle, answer. */
import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import { checkAnswer, checkRequest } from '../contract/check.ts';
import type { Operation } from '../contract/operation.ts';

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
    router[op.method](op.id, path, async (ctx) => {
      const request = checkRequest(op, {
        params: ctx.params,
        query: ctx.query,
        body: (ctx.request as { body?: unknown }).body,
      });
      const answer = await op.handle(request);
      if (options.checkAnswers) checkAnswer(op, answer);
      ctx.status = answer.status;
      ctx.set(answer.headers ?? {});
      ctx.body = answer.body;
    });
  }
  const routes = router.routes();
  const methods = router.allowedMethods();
  return (ctx, next) => routes(ctx as never, () => methods(ctx as never, next)) as Promise<void>;
}
