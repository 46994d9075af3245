/** Keeps prepared answers until the data they were made of changes or room is short. */
import { LRUCache } from 'lru-cache';
import { PreparedAnswer } from '../../contract/prepared.ts';

/** What answers for everybody carry: an import shows within a day, and at once to who revalidates. */
export const FOR_A_DAY = { 'Cache-Control': 'public, max-age=86400' };

export interface PreparedCacheOptions {
  maxBytes: number;
  /** Media type of the answers; JSON where left out */
  type?: string;
  /** What the answers are made of; left out: nothing that changes while the process runs */
  data?: {
    /** Names the data: another stamp makes the answers anew */
    stamp(): Promise<string>;
    /** How old a stamp may be, so that not every request asks the database */
    stampMs: number;
  };
}

/**
 * The answer of a key, made by `make` if it is not there. Those who ask for a key meanwhile wait for
 * the same; a failure goes to them all and is forgotten.
 */
export type PreparedCache = (key: string, make: Make) => Promise<PreparedAnswer>;
type Make = () => Promise<string | Uint8Array>;

export function preparedCache({ maxBytes, type, data }: PreparedCacheOptions): PreparedCache {
  const stamps = new LRUCache<'stamp', string>({
    max: 1,
    ttl: data?.stampMs ?? 0,
    noDeleteOnStaleGet: true,
    fetchMethod: async (_key, known) => {
      try {
        return (await data?.stamp()) ?? '';
      } catch (error) {
        // While the database is away, what we have is still right.
        if (known === undefined) throw error;
        return known;
      }
    },
  });
  const answers = new LRUCache<string, PreparedAnswer, Make>({
    maxSize: maxBytes,
    // The encodings made of it later take less than as much again; an empty tile takes room too.
    sizeCalculation: ({ bytes, compressible }) => (compressible ? 2 : 1) * bytes.length + 1,
    fetchMethod: async (_key, _old, { context: make }) => new PreparedAnswer(await make(), type),
    // One that is pushed out while it is being made still reaches those who wait for it.
    ignoreFetchAbort: true,
  });
  return async (key, make) => {
    const stamp = stamps.get('stamp') ?? (await stamps.forceFetch('stamp'));
    const stamped = `${stamp} ${key}`;
    return answers.get(stamped) ?? answers.forceFetch(stamped, { context: make });
  };
}
