/** A cache of prepared answers that is valid while the underlying data doesn't change. */
import { LRUCache } from 'lru-cache';
import type { Answer } from '../../contract/operation.ts';
import { PreparedAnswer, type ValueOf } from '../../contract/prepared.ts';

const STAMP_MS = 5_000;

/** For public answers: an import is visible within a day, or at once to clients that revalidate. */
export const FOR_A_DAY = { 'Cache-Control': 'public, max-age=86400' };

export interface PreparedCacheOptions {
  maxBytes: number;
  /** Media type of the answers. Default: JSON */
  type?: string;
  /** The data behind the answers. Default: data that is constant while the process runs */
  data?: {
    /** Identifies the version of the data; answers are cached per stamp */
    stamp(): Promise<string>;
    /** How long after an import the previous answers may still be sent. Default: 5 seconds */
    stampMs?: number;
  };
}

/**
 * Returns the answer for a key, and makes it if it isn't cached. Concurrent calls for a key share one
 * `make`; a failure rejects all of them and isn't cached.
 */
export type PreparedCache = <Content extends string | Uint8Array>(
  key: string,
  make: () => Promise<Content>,
) => Promise<PreparedAnswer<ValueOf<Content>>>;
type Make = () => Promise<string | Uint8Array>;

export function preparedCache({ maxBytes, type, data }: PreparedCacheOptions): PreparedCache {
  const stamps = new LRUCache<'stamp', string>({
    max: 1,
    ttl: data?.stampMs ?? STAMP_MS,
    noDeleteOnStaleGet: true,
    fetchMethod: async (_key, known) => {
      try {
        return (await data?.stamp()) ?? '';
      } catch (error) {
        // While the database is unreachable, the cached answers are the best ones known.
        if (known === undefined) throw error;
        return known;
      }
    },
  });
  const answers = new LRUCache<string, PreparedAnswer, Make>({
    maxSize: maxBytes,
    // Compressed forms added later are smaller than the original. Empty tiles count as one byte.
    sizeCalculation: ({ bytes, compressible }) => (compressible ? 2 : 1) * bytes.length + 1,
    fetchMethod: async (_key, _old, { context: make }) => new PreparedAnswer(await make(), type),
    // An entry evicted while it is being made still reaches the waiting requests.
    ignoreFetchAbort: true,
  });
  const answerOf = async (key: string, make: Make) => {
    const stamp = stamps.get('stamp') ?? (await stamps.forceFetch('stamp'));
    const stamped = `${stamp} ${key}`;
    return answers.get(stamped) ?? answers.forceFetch(stamped, { context: make });
  };
  return answerOf as PreparedCache;
}

/** Returns the cached answer for a key, or makes it. */
export type CachedAnswers = <Content extends string | Uint8Array>(
  key: string,
  make: () => Promise<Content>,
) => Promise<Answer<200, PreparedAnswer<ValueOf<Content>>>>;

/** Answers from a prepared cache. @param headers default: clients cache the answer for a day */
export function cachedAnswers(
  options: PreparedCacheOptions,
  headers: Record<string, string> = FOR_A_DAY,
): CachedAnswers {
  const cached = preparedCache(options);
  return async (key, make) => ({ status: 200, headers, body: await cached(key, make) });
}
