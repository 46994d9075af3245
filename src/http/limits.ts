/** Spends of a client's limits with each request, and tells it where it stands: section 8. */
import type { Context, Middleware } from 'koa';
import { policyBeneath, type PolicyName } from '../contract/limits.ts';
import { ServiceError } from '../errors.ts';
import type { Limiter, Standing } from '../metering/limiter.ts';
import type { ClientOf } from './client-address.ts';
import { fieldsOf, type Fields } from './fields.ts';
import { operationAt } from './found-operation.ts';

export interface LimitParts {
  limiter: Limiter;
  clientOf: ClientOf;
}

/** Before all that costs anything. */
export function limits({ limiter, clientOf }: LimitParts, basePath: string): Middleware {
  return async (ctx, next) => {
    const policy = policyOf(ctx, basePath);
    const standing = await limiter.spend(policy, clientOf(ctx.req));
    fieldsOf(ctx).push(...limitFields([standing]));
    if (standing.exceeded) {
      ctx.res.setHeader('Retry-After', standing.resetSeconds);
      throw tooManyRequests(standing);
    }
    await next();
  };
}

function policyOf(ctx: Context, basePath: string): PolicyName {
  const op = operationAt(ctx);
  if (op) return op.limit ?? policyBeneath(op.path);
  const { path } = ctx;
  return policyBeneath(path.startsWith(basePath) ? path.slice(basePath.length) : path);
}

/**
 * The structured fields of the IETF draft list every policy in force; of the older three headers,
 * which have room for one, the tightest is told, its reset as seconds since 1970.
 */
export function limitFields(standings: readonly [Standing, ...Standing[]]): Fields {
  let [tightest] = standings;
  const limits: string[] = [];
  const policies: string[] = [];
  for (const standing of standings) {
    const { policy, quota, windowSeconds, remaining, resetSeconds } = standing;
    limits.push(`"${policy}";r=${remaining};t=${resetSeconds}`);
    policies.push(`"${policy}";q=${quota};w=${windowSeconds}`);
    if (remaining < tightest.remaining) tightest = standing;
  }
  const reset = Math.ceil(Date.now() / 1000) + tightest.resetSeconds;
  return [
    ...['RateLimit', limits.join(', ')],
    ...['RateLimit-Policy', policies.join(', ')],
    ...['X-RateLimit-Limit', String(tightest.quota)],
    ...['X-RateLimit-Remaining', String(tightest.remaining)],
    ...['X-RateLimit-Reset', String(reset)],
  ];
}

function tooManyRequests({ policy, quota, windowSeconds, resetSeconds }: Standing): ServiceError {
  const window = windowSeconds === 60 ? 'minute' : `${windowSeconds} seconds`;
  return new ServiceError(
    429,
    'rate_limited',
    `At most ${quota} requests a ${window} are served here (limit "${policy}"). ` +
      `Try again in ${resetSeconds} ${resetSeconds === 1 ? 'second' : 'seconds'}.`,
  );
}
