/** Synchronous steps that inspect a request or prepare its answer. */
import type { Context, Middleware } from 'koa';

export type Step = (ctx: Context) => void;

/** Makes a middleware of steps, which run one after another. */
export const runSteps =
  (...steps: Step[]): Middleware =>
  (ctx, next) => {
    for (const step of steps) step(ctx);
    return next();
  };
