/** A cache of prepared answers that is valid while the underlying data doesn't change. */
import { LRUCache } from 'lru-cache';
import { PreparedAnswer, type ValueOf } from '../../contract/prepared.ts';
import type { DataAt } from '../../db/imported-data.ts';
import { tally } from '../../tally.ts';
import { rememberStamp, type DataSource } from './data-stamp.ts';

export interface PreparedCacheOptions {
  maxBytes: number;
  /** Media type of the answers. Default: JSON */
  type?: string;
  /** The data behind the answers. Default: data that is constant while the process runs */
  data?: DataSource;
  /** Finds or makes the content for a stamp and a key among all processes. Default: makes it here */
  share?(stamp: string, key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array>;
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
  /** Undefined if the data changed again and again while the answer was made */
  stamp: string | undefined;
  /** Returns the answer as long as it's cached and current */
  again(): PreparedAnswer<T> | undefined;
}

/**
 * Like `PreparedCache`, and returns what the answer was made from.
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

/** An import takes seconds, so a second change during one answer is rare. */
const ATTEMPTS = 3;

export function stampedCache({
  maxBytes,
  type,
  data,
  share = (_stamp, _key, make) => make(),
}: PreparedCacheOptions): StampedCache {
  const stamps = data && rememberStamp(data);
  const at = data?.at ?? withoutReads;
  const answers = new LRUCache<string, PreparedAnswer, Wanted>({
    maxSize: maxBytes,
    // Compressed forms added later are smaller than the original. Empty tiles count as one byte.
    sizeCalculation: ({ bytes, compressible }) => (compressible ? 2 : 1) * bytes.length + 1,
    fetchMethod: async (_key, _old, { context: { stamp, key, make } }) => {
      const content = await share(stamp, key, async () => {
        const made = await make(at(stamp));
        // Stamps never repeat. If the one from before is still current, so was the data all the while.
        const after = stamps ? await stamps.confirmed() : CONSTANT;
        if (after !== stamp) throw new DataChanged(new PreparedAnswer(made, type), after);
        return typeof made === 'string' ? Buffer.from(made) : made;
      });
      return new PreparedAnswer(content, type);
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

  const find = async (key: string, make: Make, isWanted?: (stamp: string) => Promise<boolean>) => {
    let stamp = await stampFor(isWanted);
    for (let attempt = 1; ; attempt++) {
      const known = cached(stamp, key);
      tally.cache[known ? 'hit' : 'miss']++;
      const again = whileCurrent(stamp, key);
      if (known) return { answer: known, stamp, again };
      try {
        const context = { stamp, key, make };
        return { answer: await answers.forceFetch(keyAt(stamp, key), { context }), stamp, again };
      } catch (error) {
        if (!(error instanceof DataChanged)) throw error;
        const { answer, after } = error;
        if (after === undefined || attempt === ATTEMPTS) {
          return { answer, stamp: undefined, again: () => undefined };
        }
        stamp = after;
      }
    }
  };
  return find as StampedCache;
}

/** The data may have changed while the answer was made, so it isn't cached. */
class DataChanged extends Error {
  readonly answer: PreparedAnswer;
  /** The stamp afterwards; undefined if it couldn't be read */
  readonly after: string | undefined;

  constructor(answer: PreparedAnswer, after: string | undefined) {
    super('The data changed while an answer was made');
    this.answer = answer;
    this.after = after;
  }
}
