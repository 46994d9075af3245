/** Connections to Redis that never make a request wait for Redis. */
import { Redis } from 'ioredis';

/** Redis is considered down after this time. It responds in under 1 ms, but a busy process reads late. */
const SILENCE_MS = 2_000;
const CONNECT_MS = 2_000;
const LONGEST_RETRY_MS = 2_000;

/**
 * Connects, and reconnects forever. Commands fail while there is no connection.
 * @param url `redis://` or `rediss://`
 */
export function openRedis(url: string): Redis {
  return new Redis(url, {
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    commandTimeout: SILENCE_MS,
    retryStrategy: (attempt) => Math.min(100 * attempt, LONGEST_RETRY_MS),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  });
}
