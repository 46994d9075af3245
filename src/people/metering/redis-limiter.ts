/** Limits that hold across processes. Redis counts them. */
import { once } from 'node:events';
import type { Logger } from 'pino';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { openRedis } from '../../base/db/redis.ts';
import { countIn, counterPerPolicy, memoryLimiter, readIn, type Limiter } from './limiter.ts';

/**
 * Counts in Redis. While Redis is down, each process counts on its own, so that limits still apply.
 * Logs the start and end of each outage.
 * @param url `redis://` or `rediss://`
 * @returns once Redis is connected or known to be down
 */
export async function redisLimiter(url: string, log: Logger): Promise<Limiter> {
  // Without a connection, requests are counted locally.
  const redis = openRedis(url);
  const counters = counterPerPolicy(
    (options) =>
      new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true }),
  );
  const own = memoryLimiter();

  let isUnavailable = false;
  const markUnavailable = (error: unknown) => {
    if (!isUnavailable)
      log.warn({ err: error }, 'Redis is unavailable: each process counts limits on its own');
    isUnavailable = true;
  };
  const markAvailable = () => {
    if (isUnavailable) log.info('Redis is available again: limits count for all processes');
    isUnavailable = false;
  };
  redis.on('error', markUnavailable);
  redis.on('ready', markAvailable);
  await once(redis, 'ready').catch(() => {});

  async function orOwn<T>(shared: () => Promise<T>, alone: () => Promise<T>): Promise<T> {
    try {
      const standing = await shared();
      markAvailable();
      return standing;
    } catch (error) {
      markUnavailable(error);
      return alone();
    }
  }

  return {
    count: (policy, client) =>
      orOwn(
        () => countIn(counters[policy], policy, client),
        () => own.count(policy, client),
      ),
    read: (policy, client) =>
      orOwn(
        () => readIn(counters[policy], policy, client),
        () => own.read(policy, client),
      ),
    async close() {
      redis.off('error', markUnavailable).on('error', () => {});
      await redis.quit().catch(() => redis.disconnect());
    },
  };
}
