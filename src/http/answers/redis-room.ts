/** Whether Redis has room for answers. */
import type { Redis } from 'ioredis';

/** A Redis that doesn't evict keys by itself holds this much for the service. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Part of `maxmemory` to leave for the counts of limits, which would fail in a full Redis */
const RESERVE = 0.25;
/** How long to trust the last look */
const LOOK_MS = 1_000;

/** Returns a function that tells whether to store another answer. It's asked before each. */
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

/** @param info what Redis reports about its memory. Some hosted ones leave out parts. */
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
