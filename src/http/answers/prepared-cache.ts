/** A cache of prepared answers that is valid while the underlying data doesn't change. */
import { LRUCache } from 'lru-cache';
import { PreparedAnswer, type ValueOf } from '../../contract/prepared.ts';
import { untilUnchanged, type DataAt } from '../../db/imported-data.ts';
import { tally } from '../../observe/tally.ts';
import { rememberStamp, type DataSource } from './data-stamp.ts';

export interface PreparedCacheOptions {
  maxBytes: number;
  /** Media type of the answers. Default: JSON */
  type?: string;
  /** The data behind the answers. Default: data that is constant while the process runs */
  data?: DataSource;
  /**
   * Finds or makes the content for a stamp and a key, shared by all processes. Default: makes it in this
   * process
   */
  share?(stamp: string, key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array>;
  /** Makes the answer from its content. Default: the content is the body */
  prepare?(content: Uint8Array): PreparedAnswer;
}

/**
 * Returns the answer for a key, and makes it if it isn't cached. Concurrent calls for a key share one
 * `make`; a failure rejects all of them and isn't cached. `make` gets reads of the data.
 */
export type PreparedCache = <Content extends string | Uint8Array>(
  key: string,
  make: (db: DataAt) => Promise<Content>,
) => Promise<PreparedAnswer<ValueOf<Content>>>;

export function preparedCache(options: PreparedCacheOptions): PreparedCache {
  const find = stampedCache(options);
  return async (key, make) => (await find(key, make)).answer;
}

/** An answer and the data that it was made from. */
export interface Stamped<T> {
  answer: PreparedAnswer<T>;
  stamp: string;
  /** Returns the answer while it's cached and current */
  again(): PreparedAnswer<T> | undefined;
}

/**
 * Like `PreparedCache`, but also returns the data that the answer was made from.
 * @param isWanted if the known stamp isn't wanted, looks for newer data first
 */
export type StampedCache = <Content extends string | Uint8Array>(
  key: string,
  make: (db: DataAt) => Promise<Content>,
  isWanted?: (stamp: string) => Promise<boolean>,
) => Promise<Stamped<ValueOf<Content>>>;

type Make = (db: DataAt) => Promise<string | Uint8Array>;

/** The answer to make */
interface Wanted {
  stamp: string;
  key: string;
  make: Make;
}

/** The stamp of data that is constant while the program runs */
export const CONSTANT = '';

const withoutReads = (stamp: string): DataAt => ({
  stamp,
  query: () => Promise.reject(new Error('Declare the data that this answer reads.')),
});

export function stampedCache({
  maxBytes,
  type,
  data,
  share = (_stamp, _key, make) => make(),
  prepare = (content) => new PreparedAnswer(content, type),
}: PreparedCacheOptions): StampedCache {
  const stamps = data && rememberStamp(data);
  const at = data?.at ?? withoutReads;
  const answers = new LRUCache<string, PreparedAnswer, Wanted>({
    maxSize: maxBytes,
    // Compressed forms that are added later are smaller than the original. Empty tiles count as one byte.
    sizeCalculation: ({ bytes, compressible }) => (compressible ? 2 : 1) * bytes.length + 1,
    fetchMethod: async (_key, _old, { context: { stamp, key, make } }) => {
      const content = await share(stamp, key, async () => {
        const made = await make(at(stamp));
        return typeof made === 'string' ? Buffer.from(made) : made;
      });
      return prepare(content);
    },
    // An entry evicted while it is being made still reaches the waiting requests.
    ignoreFetchAbort: true,
  });

  const stampFor = async (isWanted?: (stamp: string) => Promise<boolean>) => {
    if (!stamps) return CONSTANT;
    const stamp = stamps.fresh() ?? (await stamps.current());
    return !isWanted || (await isWanted(stamp)) ? stamp : stamps.latest();
  };

  const keyAt = (stamp: string, key: string) => `${stamp} ${key}`;
  const cached = (stamp: string, key: string) => answers.get(keyAt(stamp, key));
  const whileCurrent = (stamp: string, key: string) => {
    const at = keyAt(stamp, key);
    return () => {
      const isCurrent = stamps === undefined || stamps.fresh() === stamp;
      const answer = isCurrent ? answers.get(at) : undefined;
      if (answer) tally.cache.hit++;
      return answer;
    };
  };

  const find = (key: string, make: Make, isWanted?: (stamp: string) => Promise<boolean>) =>
    untilUnchanged(
      (attempt) => (attempt === 1 ? stampFor(isWanted) : stamps!.newest()),
      async (stamp) => {
        const known = cached(stamp, key);
        tally.cache[known ? 'hit' : 'miss']++;
        const context = { stamp, key, make };
        const answer = known ?? (await answers.forceFetch(keyAt(stamp, key), { context }));
        return { answer, stamp, again: whileCurrent(stamp, key) };
      },
    );
  return find as StampedCache;
}
