/** Spends of a client's limits with each request, and tells it where it stands: section 8. */
import type { Middleware } from 'koa';
import { policyBeneath, type PolicyName } from '../contract/limits.ts';
import type { Operation } from '../contract/operation.ts';
import { ServiceError } from '../errors.ts';
import type { Limiter, Standing } from '../metering/limiter.ts';
import type { ClientOf } from './client-address.ts';

export interface LimitParts {
  limiter: Limiter;
  clientOf: ClientOf;
}

/** Before all that costs anything. `ctx.state.operation` is the operation at the path, if any. */
export function limits({ limiter, clientOf }: LimitParts, basePath: string): Middleware {
  return async (ctx, next) => {
    const policy = policyOf(ctx.state.operation as Operation | undefined, ctx.path, basePath);
    const standing = await limiter.spend(policy, clientOf(ctx.req));
    const { res } = ctx;
    for (const [name, value] of limitHeaders([standing])) res.setHeader(name, value);
    if (standing.exceeded) {
      res.setHeader('Retry-After', standing.resetSeconds);
      throw tooManyRequests(standing);
    }
    return next();
  };
}

function policyOf(op: Operation | undefined, path: string, basePath: string): PolicyName {
  if (op) return op.limit ?? policyBeneath(op.path);
  return policyBeneath(path.startsWith(basePath) ? path.slice(basePath.length) : path);
}

/**
 * The structured fields of the IETF draft list every policy in force; of the older three headers,
 * which have room for one, the tightest is told, its reset as seconds since 1970.
 */
export function limitHeaders(standings: readonly Standing[]): [string, string][] {
  const tightest = standings.reduce((a, b) => (b.remaining < a.remaining ? b : a));
  const reset = Math.ceil(Date.now() / 1000) + tightest.resetSeconds;
  return [
    ['RateLimit', fields(standings, (s) => `"${s.policy}";r=${s.remaining};t=${s.resetSeconds}`)],
    [
      'RateLimit-Policy',
      fields(standings, (s) => `"${s.policy}";q=${s.quota};w=${s.windowSeconds}`),
    ],
    ['X-RateLimit-Limit', String(tightest.quota)],
    ['X-RateLimit-Remaining', String(tightest.remaining)],
    ['X-RateLimit-Reset', String(reset)],
  ];
}

const fields = (standings: readonly Standing[], field: (s: Standing) => string) =>
  standings.map(field).join(', ');

function tooManyRequests({ policy, quota, windowSeconds, resetSeconds }: Standing): ServiceError {
  const window = windowSeconds === 60 ? 'minute' : `${windowSeconds} seconds`;
  return new ServiceError(
    429,
    'rate_limited',
    `At most ${quota} requests a ${window} are served here (limit "${policy}"). ` +
      `Try again in ${resetSeconds} ${resetSeconds === 1 ? 'second' : 'seconds'}.`,
  );
}
