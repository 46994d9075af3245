/** Counts each request against the client's limits, and reports them in headers: section 8. */
import type { Context, Middleware } from 'koa';
import { policyOfPath, type PolicyName } from '../../../base/contract/limits.ts';
import type { Operation } from '../../../base/contract/operation.ts';
import { TooManyRequests } from '../../../errors.ts';
import type { Standing } from '../../../people/metering/limiter.ts';
import { admit, type Admission, type AdmissionParts, type Standings } from './admission.ts';
import type { ClientOf } from '../requests/client-address.ts';
import type { Headers } from '../answers/common-headers.ts';
import { pluralize } from '../../../base/text/words.ts';
import { operationAt, routeFound } from '../requests/find-operation.ts';

interface LimitParts extends AdmissionParts {
  clientOf: ClientOf;
}

/** Runs before all other work except identifying the caller. */
export function limits(parts: LimitParts, basePath: string): Middleware {
  const { limiter, clientOf } = parts;
  const admissionOf = async (ctx: Context): Promise<Admission> => {
    const client = clientOf(ctx.req);
    ctx.state.client = client;
    const answering = routeFound(ctx)?.answering;
    return answering && needsCaller(answering, ctx.req)
      ? admit(ctx, answering, client, parts)
      : { standings: [await limiter.count(policyOf(ctx, basePath), client)] };
  };
  return async (ctx, next) => {
    const { standings, refusal } = await admissionOf(ctx);
    ctx.set(limitHeaders(standings));
    const exceeded = standings.filter((standing) => standing.exceeded);
    if (exceeded.length > 0) {
      throw tooManyRequests(exceeded.reduce((a, b) => (b.resetSeconds > a.resetSeconds ? b : a)));
    }
    if (refusal !== undefined) throw refusal;
    await next();
  };
}

/** The policy of requests that need no credential, including OPTIONS and 405 at other paths. */
function policyOf(ctx: Context, basePath: string): PolicyName {
  // GET and POST at the same path may have different limits.
  const op = routeFound(ctx)?.answering ?? operationAt(ctx);
  if (op && needsCaller(op, ctx.req)) return 'unauthenticated';
  if (op) return policyOfOperation(op);
  const { path } = ctx;
  return policyOfPath(path.startsWith(basePath) ? path.slice(basePath.length) : path);
}

function needsCaller({ auth }: Operation, { headers }: Context['req']): boolean {
  if (auth === 'bearer-if-private') return headers.authorization !== undefined;
  return auth !== 'none';
}

const policyOfOperation = ({ limit, path }: Operation): PolicyName => limit ?? policyOfPath(path);

/**
 * The structured fields of the IETF draft list all policies. The three older headers describe the
 * tightest one, with the reset in Unix seconds.
 */
export function limitHeaders(standings: Standings): Headers {
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
  return {
    RateLimit: limits.join(', '),
    'RateLimit-Policy': policies.join(', '),
    'X-RateLimit-Limit': String(tightest.quota),
    'X-RateLimit-Remaining': String(tightest.remaining),
    'X-RateLimit-Reset': String(reset),
  };
}

/** Whether fewer requests are left, or the same number for a longer time. */
const isTighter = (a: Standing, b: Standing) =>
  a.remaining === b.remaining ? a.resetSeconds > b.resetSeconds : a.remaining < b.remaining;

const WINDOWS: Record<number, string> = {
  60: 'minute',
  600: '10 minutes',
  3600: 'hour',
  86_400: 'day',
};

export function tooManyRequests({
  policy,
  quota,
  windowSeconds,
  resetSeconds,
}: Standing): TooManyRequests {
  const window = WINDOWS[windowSeconds] ?? `${windowSeconds} seconds`;
  const message =
    // Only people read it, on pages.
    policy === 'sign-in'
      ? 'Too many attempts were made. ' +
        `Try again in ${pluralize(Math.max(1, Math.ceil(resetSeconds / 60)), 'minute')}.`
      : `The limit "${policy}" allows ${quota.toLocaleString('en')} requests per ${window}. ` +
        `Try again in ${pluralize(resetSeconds, 'second')}.`;
  return new TooManyRequests(message, resetSeconds, { policy, quota, windowSeconds });
}
