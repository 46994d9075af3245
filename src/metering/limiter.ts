/** Counts requests against the quota of a policy. A client's window starts with its first request. */
import { POLICIES, type LimitPolicy, type PolicyName } from '../contract/limits.ts';

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
  count(policy: PolicyName, client: string): Standing | Promise<Standing>;
  close(): Promise<void>;
}

/** A client's requests in its current window */
export interface Count {
  count: number;
  /** The time when the window ends, in milliseconds */
  end: number;
}

/** Counts in this process only. */
export function memoryLimiter(): Limiter {
  const counts = new Map<PolicyName, MemoryCounts>();
  return {
    count(policy, client) {
      let ofPolicy = counts.get(policy);
      if (!ofPolicy) counts.set(policy, (ofPolicy = new MemoryCounts(policy)));
      // Whole milliseconds: (x + 60,000) - x can be more than 60,000 otherwise.
      const time = Math.floor(performance.now());
      return standingAt(policy, ofPolicy.add(client, time), time);
    },
    close: () => Promise.resolve(),
  };
}

const DELETE_ENDED_MS = 1_000;

/** The counts of one policy, by client. They are ordered by the end of their windows, which are equally long. */
class MemoryCounts {
  readonly #windowMs: number;
  readonly #counts = new Map<string, Count>();
  #nextDeletion = 0;

  constructor(policy: PolicyName) {
    this.#windowMs = POLICIES[policy].windowSeconds * 1000;
  }

  add(client: string, time: number): Count {
    const known = this.#counts.get(client);
    if (known && time < known.end) {
      known.count++;
      return known;
    }
    if (time >= this.#nextDeletion) this.#deleteEnded(time);
    const first = { count: 1, end: time + this.#windowMs };
    this.#counts.delete(client);
    this.#counts.set(client, first);
    return first;
  }

  #deleteEnded(time: number): void {
    this.#nextDeletion = time + DELETE_ENDED_MS;
    for (const [client, { end }] of this.#counts) {
      if (time < end) return;
      this.#counts.delete(client);
    }
  }
}

export function standingAt(policy: PolicyName, { count, end }: Count, time: number): Standing {
  const { quota } = POLICIES[policy];
  return standingOf(policy, Math.max(0, quota - count), Math.max(0, end - time), count > quota);
}

/** @param leftMs time until the window ends */
export function standingOf(
  policy: PolicyName,
  remaining: number,
  leftMs: number,
  exceeded: boolean,
): Standing {
  const { quota, windowSeconds } = POLICIES[policy];
  const resetSeconds = Math.ceil(leftMs / 1000);
  return { policy, quota, windowSeconds, remaining, resetSeconds, exceeded };
}
