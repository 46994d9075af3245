/** Routes of the search for places: a page of results, and JSON for results while typing. */
import { z } from 'zod';
import type { Roots } from '../../contract/openapi/about.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { JSON_TYPE } from '../../contract/prepared.ts';
import type { Database } from '../../db/database.ts';
import { importedData } from '../../db/imported-data.ts';
import { preparedCache } from '../../http/answers/prepared-cache.ts';
import { unlisted } from '../../http/unlisted.ts';
import { explainMissing, missingBoundaries } from '../../market/missing-boundaries.ts';
import { zipDigits } from '../../market/search/place-index.ts';
import { placeSearch, SEARCH_DATASETS } from '../../market/search/search.ts';
import { Links, SEARCH_PATH } from '../links.ts';
import { HTML } from '../media-types.ts';
import { searchPage } from './view.ts';
import { foundPlace } from './found-place.ts';

const MAX_QUERY_LENGTH = 100;
/** Results while typing fit on a small screen. */
const MAX_SUGGESTIONS = 8;
const MAX_RESULTS = 40;
/** Beginnings of names that many people type */
const CACHE_BYTES = 4 * 1024 * 1024;

const CACHE_CONTROL = { 'Cache-Control': 'public, max-age=3600' };

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
  const pages = preparedCache({ maxBytes: CACHE_BYTES, type: HTML, data });
  return [
    operation({
      ...unlisted('get', SEARCH_PATH),
      limit: 'site',
      query,
      answers: { 200: { description: 'The results', type: HTML, cached: true } },
      errors: [503],
      handle: async ({ query: { q } }) => ({
        status: 200,
        headers: CACHE_CONTROL,
        body: await pages(q, async (db) => {
          const places = await search(db, { text: q, limit: MAX_RESULTS });
          const digits = zipDigits(q);
          const isUnknown = places.length === 0 && digits?.length === 5;
          const [missing] = isUnknown ? await missingBoundaries(db, [digits]) : [];
          return searchPage(
            q,
            places,
            missing ? explainMissing(missing) : null,
            new Links(roots()),
          );
        }),
      }),
    }),
    operation({
      ...unlisted('get', `${SEARCH_PATH}.json`),
      limit: 'site',
      query,
      answers: { 200: { description: 'The results', type: JSON_TYPE, cached: true } },
      errors: [503],
      handle: async ({ query: { q, launched } }) => ({
        status: 200,
        headers: CACHE_CONTROL,
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
