/** Looks up the addresses of a file, each only once. */
import pLimit from 'p-limit';
import { formatCount } from '../../../base/text/words.ts';
import type { UploadLookUps } from './look-ups.ts';

export const MAX_ADDRESSES = 5_000;
/** While two files are read, two more people can search for addresses: `base/outside/breaker.ts`. */
const GEOCODED_AT_ONCE = 3;

export const UNKNOWN_ADDRESS = 'The address wasn’t found. Check it, or add its ZIP code.';
export const TOO_MANY_ADDRESSES = `The file has more than ${formatCount(MAX_ADDRESSES)} different addresses without a ZIP code. Add ZIP codes, or split the file up.`;

type Point = { lng: number; lat: number };

const keyOf = (address: string) => address.toLowerCase().replaceAll(/\s+/g, ' ');

export class Addresses {
  readonly #found = new Map<string, Point | null>();
  readonly #geocode: UploadLookUps['geocode'];

  constructor(geocode: UploadLookUps['geocode']) {
    this.#geocode = geocode;
  }

  /** @throws ServiceError 503 if the geocoder fails */
  async find(addresses: readonly string[]): Promise<void> {
    const limit = pLimit(GEOCODED_AT_ONCE);
    const asked = new Map<string, Promise<void>>();
    for (const address of addresses) {
      const key = keyOf(address);
      if (this.#found.has(key) || asked.has(key)) continue;
      if (this.#found.size + asked.size >= MAX_ADDRESSES) break;
      const ask = async () => void this.#found.set(key, await this.#geocode!(address));
      asked.set(key, limit(ask));
    }
    await Promise.all(asked.values());
  }

  /** Returns null for an unknown address, and undefined for one that was too many. */
  at(address: string): Point | null | undefined {
    return this.#found.get(keyOf(address));
  }
}
