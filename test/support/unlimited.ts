/** A limiter for tests with more calls than a client may make in a minute. */
import { randomUUID } from 'node:crypto';
import { memoryLimiter, type Limiter } from '../../src/people/metering/limiter.ts';

/** Counts each request as one of another client. */
export function unlimited(): Limiter {
  const limiter = memoryLimiter();
  return { ...limiter, count: (policy) => limiter.count(policy, randomUUID()) };
}
