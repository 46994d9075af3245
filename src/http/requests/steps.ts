/** Steps that only look at a request or prepare its answer. */
import type { Context, Middleware } from 'koa';

export type Step = (ctx: Context) => void;

/** One middleware for them all: each alone would take Koa longer to call than it takes itself. */
export const runSteps =
  (...steps: Step[]): Middleware =>
  (ctx, next) => {
    for (const step of steps) step(ctx);
    return next();
  };
