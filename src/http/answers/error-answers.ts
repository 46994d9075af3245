/** Answers every failure with the contract's Error object. */
import type { Logger } from 'pino';
import type { Middleware } from 'koa';
import { notFound, ServiceError, TooManyRequests } from '../../errors.ts';
import type { ChallengeOf } from '../sign-in/credentials.ts';
import { hasDisconnected } from '../requests/disconnect.ts';
import { requestFields } from '../requests/request-log.ts';

/**
 * Clients only see messages of `ServiceError`. Any other error is our fault: it's logged in full, and
 * the client gets the request id.
 */
export function answerErrors(log: Logger, challengeOf: ChallengeOf = () => 'Bearer'): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        throw notFound(`Nothing found at ${ctx.path}.`);
      }
    } catch (error) {
      // Work canceled after a disconnect isn't a failure.
      if (hasDisconnected(ctx.res)) return;
      const known = error instanceof ServiceError ? error : undefined;
      if (!known || known.status >= 500) {
        log.error({ err: error, ...requestFields(ctx) }, 'request failed');
      }
      // Headers of the intended answer must not apply to the error.
      for (const header of ['Cache-Control', 'ETag', 'Content-Encoding', 'Vary'])
        ctx.remove(header);
      ctx.status = known?.status ?? 500;
      if (known?.status === 401) ctx.set('WWW-Authenticate', challengeOf(ctx));
      if (known?.status === 503) ctx.set('Retry-After', '5');
      if (known instanceof TooManyRequests) {
        ctx.set('Retry-After', String(known.retryAfterSeconds));
      }
      ctx.body = {
        error:
          known?.message ??
          `Something went wrong on our side. Try again; if it keeps failing, send us the request id ${String(ctx.state.requestId)}.`,
        code: known?.code ?? (known ? undefined : 'internal_error'),
        ...known?.details,
      };
    }
  };
}
