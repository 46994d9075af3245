/** Counts requests against the quota of a policy. A client's window starts with its first request. */
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { POLICIES, type LimitPolicy, type PolicyName } from '../../base/contract/limits.ts';

/** A client's usage of a policy, including this request */
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
  count(policy: PolicyName, client: string): Promise<Standing>;
  /** Returns the standing without counting a request. Never fails. */
  read(policy: PolicyName, client: string): Promise<Standing>;
  close(): Promise<void>;
}

/** Counts in this process only. */
export function memoryLimiter(): Limiter {
  const counters = counterPerPolicy((options) => new RateLimiterMemory(options));
  return {
    count: (policy, client) => countIn(counters[policy], policy, client),
    read: (policy, client) => readIn(counters[policy], policy, client),
    close: () => Promise.resolve(),
  };
}

interface CounterOptions {
  keyPrefix: string;
  points: number;
  duration: number;
}

type Counters = Record<PolicyName, RateLimiterAbstract>;

export const counterPerPolicy = (create: (options: CounterOptions) => RateLimiterAbstract) =>
  Object.fromEntries(
    Object.entries(POLICIES).map(([policy, { quota, windowSeconds }]) => [
      policy,
      create({ keyPrefix: `limit:${policy}`, points: quota, duration: windowSeconds }),
    ]),
  ) as Counters;

/** @throws Error if the store of the counter fails */
export async function countIn(
  counter: RateLimiterAbstract,
  policy: PolicyName,
  client: string,
): Promise<Standing> {
  try {
    const { remainingPoints, msBeforeNext } = await counter.consume(client);
    return standingOf(policy, remainingPoints, msBeforeNext, false);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return standingOf(policy, error.remainingPoints, error.msBeforeNext, true);
  }
}

/** @throws Error if the store of the counter fails */
export async function readIn(
  counter: RateLimiterAbstract,
  policy: PolicyName,
  client: string,
): Promise<Standing> {
  const found = await counter.get(client);
  const remaining = found ? Math.max(0, found.remainingPoints) : POLICIES[policy].quota;
  return standingOf(policy, remaining, found?.msBeforeNext ?? 0, false);
}

/** @param leftMs time until the window ends */
export function standingOf(
  policy: PolicyName,
  remaining: number,
  leftMs: number,
  exceeded: boolean,
): Standing {
  const { windowSeconds } = POLICIES[policy];
  // The window seems longer than it is while the clock is set back.
  const resetSeconds = Math.min(Math.ceil(leftMs / 1000), windowSeconds);
  return { policy, ...POLICIES[policy], remaining, resetSeconds, exceeded };
}
