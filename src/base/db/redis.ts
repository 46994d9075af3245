/** Connections to Redis that never make requests wait for it. */
import { Redis } from 'ioredis';

/**
 * After this time, Redis is considered down. It responds in under 1 ms, but a busy process reads the
 * response late.
 */
const SILENCE_MS = 2_000;
const CONNECT_MS = 2_000;
const LONGEST_RETRY_MS = 2_000;

/**
 * Connects, and always reconnects. Commands fail while there is no connection.
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
