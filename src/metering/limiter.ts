/** Counts requests against a policy's quota, in windows that start with a client's first request. */
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { POLICIES, type LimitPolicy, type PolicyName } from '../contract/limits.ts';

/** A client's usage of a policy, including this request. */
export interface Standing extends LimitPolicy {
  policy: PolicyName;
  /** Requests left in the window */
  remaining: number;
  /** Seconds until the window ends, rounded up */
  resetSeconds: number;
  /** Whether this request exceeds the quota */
  exceeded: boolean;
}

export interface Limiter {
  /** Counts one request. Never fails, and counts every request. */
  spend(policy: PolicyName, client: string): Promise<Standing>;
  close(): Promise<void>;
}

/** Counts in this process only. */
export function memoryLimiter(): Limiter {
  // Each policy has its own limiter, so keys need no prefix.
  const counters = countersOf((options) => new RateLimiterMemory({ ...options, keyPrefix: '' }));
  return {
    spend: (policy, client) => spendFrom(counters, policy, client),
    close: () => Promise.resolve(),
  };
}

export type Counters = Readonly<Record<PolicyName, RateLimiterAbstract>>;
interface CounterOptions {
  keyPrefix: string;
  points: number;
  duration: number;
}

/** A counter for each policy. */
export function countersOf(make: (options: CounterOptions) => RateLimiterAbstract): Counters {
  return Object.fromEntries(
    Object.entries(POLICIES).map(([policy, { quota, windowSeconds }]) => [
      policy,
      make({ keyPrefix: `limit:${policy}`, points: quota, duration: windowSeconds }),
    ]),
  ) as Counters;
}

/** @throws Error if the counter's store fails */
export async function spendFrom<Policy extends PolicyName>(
  counters: Pick<Counters, Policy>,
  policy: Policy,
  client: string,
): Promise<Standing> {
  try {
    return standingOf(policy, await counters[policy].consume(client), false);
  } catch (error) {
    if (error instanceof RateLimiterRes) return standingOf(policy, error, true);
    throw error;
  }
}

/** @param count null if there were no requests */
export function standingOf(
  policy: PolicyName,
  count: Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'> | null,
  exceeded: boolean,
): Standing {
  const { quota, windowSeconds } = POLICIES[policy];
  return {
    policy,
    quota,
    windowSeconds,
    remaining: count?.remainingPoints ?? quota,
    resetSeconds: count ? Math.ceil(count.msBeforeNext / 1000) : windowSeconds,
    exceeded,
  };
}
