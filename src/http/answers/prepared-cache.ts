/** A cache of prepared answers that is valid while the underlying data doesn't change. */
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Answer } from '../../contract/operation.ts';
import { PreparedAnswer, type ValueOf } from '../../contract/prepared.ts';
import { tally } from '../../tally.ts';

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
  const stampOf = data && rememberedStamp(data);
  const answers = new LRUCache<string, PreparedAnswer, Make>({
    maxSize: maxBytes,
    // Compressed forms added later are smaller than the original. Empty tiles count as one byte.
    sizeCalculation: ({ bytes, compressible }) => (compressible ? 2 : 1) * bytes.length + 1,
    fetchMethod: async (_key, _old, { context: make }) => new PreparedAnswer(await make(), type),
    // An entry evicted while it is being made still reaches the waiting requests.
    ignoreFetchAbort: true,
  });
  const answerOf = async (key: string, make: Make) => {
    const stamped = stampOf ? `${stampOf.fresh() ?? (await stampOf.current())} ${key}` : key;
    const known = answers.get(stamped);
    tally.cache[known ? 'hit' : 'miss']++;
    return known ?? answers.forceFetch(stamped, { context: make });
  };
  return answerOf as PreparedCache;
}

/** A database that takes longer is slow or silent: then cached answers don't wait for it. */
const PATIENCE_MS = 50;
/** After a failure, asks again sooner. */
const RETRY_MS = 1_000;

interface RememberedStamp {
  /** The stamp, if it was read recently */
  fresh(): string | undefined;
  /** Reads the stamp. If that takes long or fails, returns the last one, and reads on in the background. */
  current(): Promise<string>;
}

function rememberedStamp({
  stamp,
  stampMs = STAMP_MS,
}: NonNullable<PreparedCacheOptions['data']>): RememberedStamp {
  let known: string | undefined;
  let freshUntil = 0;
  let reading: Promise<string> | undefined;
  /** The running read, or the known stamp once that has taken too long */
  let soon: Promise<string> | undefined;

  async function read(): Promise<string> {
    try {
      known = await stamp();
      freshUntil = performance.now() + stampMs;
      return known;
    } catch (error) {
      // While the database is unreachable, the cached answers are the best ones known.
      if (known === undefined) throw error;
      freshUntil = performance.now() + Math.min(stampMs, RETRY_MS);
      return known;
    } finally {
      reading = undefined;
    }
  }

  return {
    fresh: () => (performance.now() < freshUntil ? known : undefined),
    current() {
      if (!reading) {
        reading = read();
        soon =
          known === undefined
            ? reading
            : Promise.race([reading, delay(PATIENCE_MS, known, { ref: false })]);
      }
      return soon!;
    },
  };
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
