/** Keeps prepared answers until the data they were made of changes or room is short. */
import { LRUCache } from 'lru-cache';
import { PreparedJson } from '../contract/prepared-json.ts';

export interface PreparedCacheOptions {
  maxBytes: number;
  /** Names the data that answers are made of: another stamp makes them anew */
  stamp(): Promise<string>;
  /** How old a stamp may be, so that not every request asks the database */
  stampMs: number;
}

/**
 * The answer of a key, made by `make` if it is not there. Those who ask for a key meanwhile wait for
 * the same; a failure goes to them all and is forgotten.
 */
export type PreparedCache = (key: string, make: () => Promise<string>) => Promise<PreparedJson>;

export function preparedCache({ maxBytes, stamp, stampMs }: PreparedCacheOptions): PreparedCache {
  const stamps = new LRUCache<'stamp', string>({
    max: 1,
    ttl: stampMs,
    noDeleteOnStaleGet: true,
    fetchMethod: async (_key, known) => {
      try {
        return await stamp();
      } catch (error) {
        // While the database is away, what we have is still right.
        if (known === undefined) throw error;
        return known;
      }
    },
  });
  const answers = new LRUCache<string, PreparedJson, () => Promise<string>>({
    maxSize: maxBytes,
    // The encodings made of it later take less than as much again.
    sizeCalculation: ({ json }) => 2 * json.length,
    fetchMethod: async (_key, _old, { context: make }) => new PreparedJson(await make()),
    // One that is pushed out while it is being made still reaches those who wait for it.
    ignoreFetchAbort: true,
  });
  return async (key, make) => {
    const data = stamps.get('stamp') ?? (await stamps.forceFetch('stamp'));
    const stamped = `${data} ${key}`;
    return answers.get(stamped) ?? answers.forceFetch(stamped, { context: make });
  };
}
