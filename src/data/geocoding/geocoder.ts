/** Finds addresses with the operator's geocoder: Nominatim or Photon. */
import { cacheOf } from '../../base/cache/cache.ts';
import { askServerAt, ServerFailure, ServerRefusal } from '../../base/outside/ask-server.ts';
import { breaker } from '../../base/outside/breaker.ts';
import type { Address, GeocodingEngine } from './engine.ts';
import { nominatim } from './nominatim.ts';
import { photon } from './photon.ts';

const GEOCODING_ENGINES = { nominatim, photon } as const satisfies Record<string, GeocodingEngine>;

interface GeocodingServer {
  url: string;
  engine: keyof typeof GEOCODING_ENGINES;
}

export interface Geocoder {
  /**
   * @returns at most five addresses. @throws ServerFailure, or BreakerOpen while the server doesn't respond
   */
  find(text: string): Promise<readonly Address[]>;
}

const MAX_ADDRESSES = 5;
/** Short, because people wait for results while they type. */
const TIMEOUT_MS = 2_000;
/** Statuses that refuse the text of a query. Other statuses are about the server or our access to it */
const REFUSED_TEXT: ReadonlySet<number> = new Set([400, 414, 422]);
const CACHE_MS = 3_600_000;

/**
 * @param report called with the last error when the server stops responding, and without one when it
 *   recovers
 */
export function geocoderFrom(
  { url, engine }: GeocodingServer,
  report: (down: unknown) => void = () => {},
): Geocoder {
  const { path, read } = GEOCODING_ENGINES[engine];
  const { run } = breaker((error) => error instanceof ServerFailure, report);
  const found = cacheOf<readonly Address[]>(({ length }) => 300 * length, { ttl: CACHE_MS });
  const ask = async (text: string) => {
    try {
      return read(await askServerAt(url, TIMEOUT_MS)({ path: path(text, MAX_ADDRESSES) }));
    } catch (error) {
      // The server works, but can't interpret this text as an address.
      if (error instanceof ServerRefusal && REFUSED_TEXT.has(error.status)) return [];
      throw error;
    }
  };
  return {
    find(text) {
      const plain = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
      return found.find(plain, () => run(() => ask(plain)));
    },
  };
}

/** Matches a house number and a street, such as `1500 Marilla`. Shorter texts would match anything. */
export const looksLikeAddress = (text: string) => /^\s*\d+[a-z]?[\s,]+.*[a-z]{3}/i.test(text);
