/** Spends of a client's limits with each request, and tells it where it stands: section 8. */
import type { Context, Middleware } from 'koa';
import { policyBeneath, type PolicyName } from '../../contract/limits.ts';
import { ServiceError } from '../../errors.ts';
import type { Standing } from '../../metering/limiter.ts';
import { admit, type Admission, type AdmissionParts, type Standings } from './admission.ts';
import type { ClientOf } from '../requests/client-address.ts';
import { headerFields, type Fields } from '../answers/header-fields.ts';
import { operationAt, routeFound } from '../requests/find-operation.ts';

export interface LimitParts extends AdmissionParts {
  clientOf: ClientOf;
}

/** Before all that costs anything but to find out who asks. */
export function limits(parts: LimitParts, basePath: string): Middleware {
  const { limiter, clientOf } = parts;
  const admissionOf = async (ctx: Context): Promise<Admission> => {
    const client = clientOf(ctx.req);
    ctx.state.client = client;
    const answering = routeFound(ctx)?.answering;
    return answering && answering.auth !== 'none'
      ? admit(ctx, answering, client, parts)
      : { standings: [await limiter.spend(policyOf(ctx, basePath), client)] };
  };
  return async (ctx, next) => {
    const { standings, refusal } = await admissionOf(ctx);
    headerFields(ctx).push(...limitFields(standings));
    const exceeded = standings.filter((standing) => standing.exceeded);
    if (exceeded.length > 0) {
      const last = exceeded.reduce((a, b) => (b.resetSeconds > a.resetSeconds ? b : a));
      ctx.res.setHeader('Retry-After', Math.max(last.resetSeconds, 1));
      throw tooManyRequests(last);
    }
    if (refusal !== undefined) throw refusal;
    await next();
  };
}

/** Of what is answered to everybody, also where a credential would be needed: OPTIONS, 405. */
function policyOf(ctx: Context, basePath: string): PolicyName {
  // At one path a form may be read often and sent seldom.
  const op = routeFound(ctx)?.answering ?? operationAt(ctx);
  if (op && op.auth !== 'none') return 'unauthenticated';
  if (op) return op.limit ?? policyBeneath(op.path);
  const { path } = ctx;
  return policyBeneath(path.startsWith(basePath) ? path.slice(basePath.length) : path);
}

/**
 * The structured fields of the IETF draft list every policy in force; of the older three headers,
 * which have room for one, the tightest is told, its reset as seconds since 1970.
 */
export function limitFields(standings: Standings): Fields {
  let [tightest] = standings;
  const limits: string[] = [];
  const policies: string[] = [];
  for (const standing of standings) {
    const { policy, quota, windowSeconds, remaining, resetSeconds } = standing;
    limits.push(`"${policy}";r=${remaining};t=${resetSeconds}`);
    policies.push(`"${policy}";q=${quota};w=${windowSeconds}`);
    if (isTighter(standing, tightest)) tightest = standing;
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

/** Less is left, or no more for a longer time. */
const isTighter = (a: Standing, b: Standing) =>
  a.remaining === b.remaining ? a.resetSeconds > b.resetSeconds : a.remaining < b.remaining;

const WINDOWS: Record<number, string> = { 60: 'a minute', 600: 'in ten minutes', 86_400: 'a day' };

export function tooManyRequests({
  policy,
  quota,
  windowSeconds,
  resetSeconds,
}: Standing): ServiceError {
  const window = WINDOWS[windowSeconds] ?? `in ${windowSeconds} seconds`;
  return new ServiceError(
    429,
    'rate_limited',
    `At most ${quota.toLocaleString('en')} requests ${window} are served here (limit "${policy}"). ` +
      `Try again in ${resetSeconds} ${resetSeconds === 1 ? 'second' : 'seconds'}.`,
  );
}
