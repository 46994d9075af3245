/** Answers all failures with the contract's Error object, or in the format of the operation's protocol. */
import type { Logger } from 'pino';
import type { Middleware } from 'koa';
import { notFound, ServiceError, TooManyRequests } from '../../../errors.ts';
import type { ChallengeOf } from '../sign-in/credentials.ts';
import { hasDisconnected } from '../requests/disconnect.ts';
import { routeFound } from '../requests/find-operation.ts';
import { requestFields } from '../requests/request-log.ts';

/**
 * Clients see only messages of `ServiceError`. Any other error is a bug or an outage on our side: it's
 * logged in full, and the client gets the request id.
 */
export function answerErrors(log: Logger, challengeOf: ChallengeOf = () => 'Bearer'): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        throw notFound(
          `Nothing found at ${ctx.path}. Check the address; /docs/reference lists all operations.`,
        );
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
      const retryAfterSeconds = secondsToWait(known);
      if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
      const body = {
        error:
          known?.message ??
          `Something went wrong on our side. Try again; if it keeps failing, send us the request id ${String(ctx.state.requestId)}.`,
        code: known?.code ?? (known ? undefined : 'internal_error'),
        ...known?.details,
      };
      const inTermsOfProtocol = routeFound(ctx)?.answering?.failures;
      ctx.body = inTermsOfProtocol
        ? inTermsOfProtocol.bodyOf({
            status: ctx.status,
            error: body,
            retryAfterSeconds,
            limit: known instanceof TooManyRequests ? known.limit : undefined,
            body: (ctx.request as { body?: unknown }).body,
          })
        : body;
    }
  };
}

function secondsToWait(error: ServiceError | undefined): number | undefined {
  if (error instanceof TooManyRequests) return error.retryAfterSeconds;
  return error?.status === 503 ? 5 : undefined;
}
