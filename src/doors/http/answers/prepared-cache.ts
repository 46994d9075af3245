/** A cache of prepared answers that is valid while the underlying data doesn't change. */
import { cacheOf } from '../../../base/cache/cache.ts';
import { PreparedAnswer, type ValueOf } from '../../../base/contract/prepared.ts';
import { untilUnchanged, type DataAt } from '../../../base/db/imported-data.ts';
import { tally } from '../../../base/observe/tally.ts';
import { rememberStamp, type DataSource } from './data-stamp.ts';

export interface PreparedCacheOptions {
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
type PreparedCache = <Content extends string | Uint8Array>(
  key: string,
  make: (db: DataAt) => Promise<Content>,
) => Promise<PreparedAnswer<ValueOf<Content>>>;

export function preparedCache(options?: PreparedCacheOptions): PreparedCache {
  const find = stampedCache(options);
  return async (key, make) => (await find(key, make)).answer;
}

/** An answer and the data that it was made from. */
interface Stamped<T> {
  answer: PreparedAnswer<T>;
  stamp: string;
}

/**
 * Like `PreparedCache`, but also returns the data that the answer was made from.
 * @param isWanted if the known stamp isn't wanted, looks for newer data first
 */
type StampedCache = <Content extends string | Uint8Array>(
  key: string,
  make: (db: DataAt) => Promise<Content>,
  isWanted?: (stamp: string) => Promise<boolean>,
) => Promise<Stamped<ValueOf<Content>>>;

type Make = (db: DataAt) => Promise<string | Uint8Array>;

/** The stamp of data that is constant while the program runs */
export const CONSTANT = '';

const withoutReads = (stamp: string): DataAt => ({
  stamp,
  query: () => Promise.reject(new Error('Declare the data that this answer reads.')),
});

/** Compressed forms that are added later are smaller than the original. */
const bytesOf = ({ bytes, compressible }: PreparedAnswer) => (compressible ? 2 : 1) * bytes.length;

export function stampedCache({
  type,
  data,
  share = (_stamp, _key, make) => make(),
  prepare = (content) => new PreparedAnswer(content, type),
}: PreparedCacheOptions = {}): StampedCache {
  const stamps = data && rememberStamp(data);
  const at = data?.at ?? withoutReads;
  const answers = cacheOf<PreparedAnswer>(bytesOf);

  const stampFor = async (isWanted?: (stamp: string) => Promise<boolean>) => {
    if (!stamps) return CONSTANT;
    const stamp = stamps.fresh() ?? (await stamps.current());
    return !isWanted || (await isWanted(stamp)) ? stamp : stamps.latest();
  };

  const makeAt = async (stamp: string, key: string, make: Make): Promise<PreparedAnswer> => {
    const content = await share(stamp, key, async () => {
      const made = await make(at(stamp));
      return typeof made === 'string' ? Buffer.from(made) : made;
    });
    return prepare(content);
  };

  const find = (key: string, make: Make, isWanted?: (stamp: string) => Promise<boolean>) =>
    untilUnchanged(
      (attempt) => (attempt === 1 ? stampFor(isWanted) : stamps!.newest()),
      async (stamp) => {
        const known = answers.get(`${stamp} ${key}`);
        tally.cache[known ? 'hit' : 'miss']++;
        const answer =
          known ?? (await answers.find(`${stamp} ${key}`, () => makeAt(stamp, key, make)));
        return { answer, stamp };
      },
    );
  return find as StampedCache;
}
