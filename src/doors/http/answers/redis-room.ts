/** Whether Redis has room for answers. */
import type { Redis } from 'ioredis';

/** Memory for the service in a Redis that doesn't evict keys */
const MAX_BYTES = 256 * 1024 * 1024;
/** Share of `maxmemory` to leave for the counters of limits, which would fail in a full Redis */
const RESERVE = 0.25;
/** How long a measurement is valid */
const LOOK_MS = 1_000;

/** Returns a function that decides whether to store another answer. It's called before each one. */
export function redisRoom(redis: Pick<Redis, 'info'>): () => Promise<boolean> {
  let last: Promise<boolean> | undefined;
  let until = 0;
  return () => {
    if (!last || performance.now() > until) {
      until = performance.now() + LOOK_MS;
      last = redis.info('memory').then(hasRoom);
    }
    return last;
  };
}

/** @param info Redis's report about its memory. Some hosted versions leave out parts. */
export function hasRoom(info: string): boolean {
  const fields = new Map(
    Array.from(info.matchAll(/^(\w+):(.*?)\r?$/gm), ([, name, value]) => [name!, value!]),
  );
  const maxBytes = Number(fields.get('maxmemory') ?? 0);
  const evicts = (fields.get('maxmemory_policy') ?? 'noeviction') !== 'noeviction';
  if (maxBytes > 0 && evicts) return true;
  const limit = maxBytes > 0 ? Math.min(MAX_BYTES, maxBytes * (1 - RESERVE)) : MAX_BYTES;
  return Number(fields.get('used_memory') ?? 0) < limit;
}
