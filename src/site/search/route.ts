/** Routes of the search for places: JSON for results while typing. */
import { z } from 'zod';
import type { Roots } from '../../contract/openapi/about.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { JSON_TYPE } from '../../contract/prepared.ts';
import type { Database } from '../../db/database.ts';
import { importedData } from '../../db/imported-data.ts';
import { preparedCache } from '../../http/answers/prepared-cache.ts';
import { unlisted } from '../../http/unlisted.ts';
import { placeSearch, SEARCH_DATASETS } from '../../market/search/search.ts';
import { Links } from '../links.ts';
import { foundPlace } from './found-place.ts';

export const SEARCH_PATH = '/search';

const MAX_QUERY_LENGTH = 100;
/** Results while typing fit on a small screen. */
const MAX_SUGGESTIONS = 8;
/** Beginnings of names that many people type */
const CACHE_BYTES = 4 * 1024 * 1024;

/** A missing or repeated parameter is empty. */
const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value.slice(0, MAX_QUERY_LENGTH) : ''));

const query = z.object({
  q: text,
  /** `1` finds only places in launched metros */
  launched: text,
});

export function searchRoutes(db: Database, roots: () => Roots): Operation[] {
  const search = placeSearch();
  const data = importedData(db, SEARCH_DATASETS);
  const suggestions = preparedCache({ maxBytes: CACHE_BYTES, type: JSON_TYPE, data });
  return [
    operation({
      ...unlisted('get', `${SEARCH_PATH}.json`),
      limit: 'site',
      query,
      answers: { 200: { description: 'The results', type: JSON_TYPE, cached: true } },
      errors: [503],
      handle: async ({ query: { q, launched } }) => ({
        status: 200,
        headers: { 'Cache-Control': 'public, max-age=3600' },
        body: await suggestions(JSON.stringify([q, launched]), async (db) => {
          const found = await search(db, {
            text: q,
            limit: MAX_SUGGESTIONS,
            launchedOnly: launched === '1',
          });
          const links = new Links(roots());
          return JSON.stringify({ places: found.map((place) => foundPlace(place, links)) });
        }),
      }),
    }),
  ];
}
