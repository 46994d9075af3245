/** Synchronous steps that inspect a request or prepare its answer. */
import type { Context, Middleware } from 'koa';

export type Step = (ctx: Context) => void;

/** Runs all steps in one middleware, because calling a middleware costs more than a step. */
export const runSteps =
  (...steps: Step[]): Middleware =>
  (ctx, next) => {
    for (const step of steps) step(ctx);
    return next();
  };
