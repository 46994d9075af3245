/** Every failure of a request leaves here, as the contract's Error object. */
import type { Logger } from 'pino';
import type { Middleware } from 'koa';
import { notFound, ServiceError } from '../../errors.ts';
import type { ChallengeOf } from '../sign-in/credentials.ts';
import { hasDisconnected } from '../requests/disconnect.ts';

/**
 * Only the sentences of `ServiceError` reach the client. Anything else is a fault of ours: it is
 * logged whole, and the client gets the request's id to tell us.
 */
export function answerErrors(log: Logger, challengeOf: ChallengeOf = () => 'Bearer'): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        throw notFound(`There is nothing at ${ctx.path}.`);
      }
    } catch (error) {
      // Work that was broken off because nobody waits for it has not failed.
      if (hasDisconnected(ctx.res)) return;
      const known = error instanceof ServiceError ? error : undefined;
      if (!known || known.status >= 500) {
        log.error({ err: error, requestId: ctx.state.requestId }, 'request failed');
      }
      // What the answer that failed was to be kept and read by must not stick to the error.
      for (const header of ['Cache-Control', 'ETag', 'Content-Encoding', 'Vary'])
        ctx.remove(header);
      ctx.status = known?.status ?? 500;
      if (known?.status === 401) ctx.set('WWW-Authenticate', challengeOf(ctx));
      if (known?.status === 503) ctx.set('Retry-After', '5');
      ctx.body = {
        error:
          known?.message ??
          `Something went wrong on our side. Please tell us the request id ${String(ctx.state.requestId)}.`,
        code: known?.code ?? (known ? undefined : 'internal_error'),
        ...known?.details,
      };
    }
  };
}
