/** Limits that hold across processes, counted in Redis. */
import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { countersOf, memoryLimiter, spendFrom, type Limiter } from './limiter.ts';

/**
 * Counting takes well under a millisecond, but a busy process may read the answer late; a Redis that
 * is silent for so long counts as away.
 */
const SILENCE_MS = 2_000;
const CONNECT_MS = 2_000;
const LONGEST_RETRY_MS = 2_000;

/**
 * While Redis is away each process counts for itself, so that the service is neither closed nor
 * open to everything. Each outage and its end are logged once.
 *
 * @param url `redis://` or `rediss://`
 * @returns once Redis is there or has proved to be away
 */
export async function redisLimiter(url: string, log: Logger): Promise<Limiter> {
  const redis = new Redis(url, {
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    commandTimeout: SILENCE_MS,
    retryStrategy: (attempt) => Math.min(100 * attempt, LONGEST_RETRY_MS),
    // A request waits for no connection: it is counted here at once.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  });
  const shared = countersOf(
    (options) =>
      new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true }),
  );
  const own = memoryLimiter();

  let away = false;
  const lost = (error: unknown) => {
    if (!away) log.warn({ err: error }, 'Redis is away: each process counts limits for itself');
    away = true;
  };
  const works = () => {
    if (away) log.info('Redis is back: limits are counted for all processes');
    away = false;
  };
  redis.on('error', lost);
  redis.on('ready', works);
  await once(redis, 'ready').catch(() => {});

  return {
    async spend(policy, client) {
      try {
        const standing = await spendFrom(shared, policy, client);
        works();
        return standing;
      } catch (error) {
        lost(error);
        return own.spend(policy, client);
      }
    },
    async close() {
      redis.off('error', lost).on('error', () => {});
      await redis.quit().catch(() => redis.disconnect());
    },
  };
}
