/**
 * One cache of a process, with one size: a share of `MEMORY_MB`. It holds prepared answers and pictures, tiles, and what was worked
 * out from the imported data. What was used least recently leaves first, whatever it is. Each drawing thread has a
 * smaller one of its own.
 */
import { isMainThread } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { keptByDrawing, memoryShares } from '../workers/memory.ts';

const MB = 2 ** 20;
/** Keys, entries, and the objects around values */
const ENTRY_BYTES = 200;

interface Entry {
  value: unknown;
  bytes: number;
}

type Make = () => Promise<Entry>;

const entriesWithin = (bytes: number) =>
  new LRUCache<string, Entry, Make>({
    maxSize: Math.floor(bytes),
    sizeCalculation: ({ bytes }, key) => bytes + key.length + ENTRY_BYTES,
    fetchMethod: (_key, _old, { context: make }) => make(),
    // A value that leaves while it is being made still reaches those who wait for it.
    ignoreFetchAbort: true,
  });

let entries = entriesWithin(isMainThread ? memoryShares().cacheMb * MB : keptByDrawing().cache);

/** Sets the size of this thread's cache, and empties it. */
export function limitCache(megabytes: number): void {
  entries = entriesWithin(megabytes * MB);
}

/** The memory that is used, in bytes */
export const cacheInUse = () => entries.calculatedSize;

/** Values of one kind, by keys that contain all that a value depends on: a version and an input */
export interface Cache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  /**
   * Returns the value of a key, and makes it if it isn't cached. Concurrent calls for a key share one `make`. A failure
   * rejects all of them and isn't cached.
   */
  find(key: string, make: () => Promise<Value>): Promise<Value>;
}

let caches = 0;

/**
 * Returns a part of the process's cache, whose keys are apart from those of other parts.
 * @param bytesOf estimates the memory that a value takes. A value larger than the whole cache isn't kept
 * @param ttl milliseconds until a value is forgotten. Default: never
 */
export function cacheOf<Value>(
  bytesOf: (value: Value) => number,
  { ttl = 0 }: { ttl?: number } = {},
): Cache<Value> {
  const prefix = `${caches++} `;
  const entryOf = (value: Value): Entry => ({ value, bytes: bytesOf(value) });
  return {
    get: (key) => entries.get(prefix + key)?.value as Value | undefined,
    set: (key, value) => void entries.set(prefix + key, entryOf(value), { ttl }),
    async find(key, make) {
      const context = async () => entryOf(await make());
      return (await entries.forceFetch(prefix + key, { context, ttl })).value as Value;
    },
  };
}
