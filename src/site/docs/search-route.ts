/** Routes of the documentation search: a page of results, and JSON for results while typing. */
import { z } from 'zod';
import { TOOLS } from '../../agent/tools.ts';
import type { Roots } from '../../contract/openapi/about.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { JSON_TYPE, PreparedAnswer } from '../../contract/prepared.ts';
import { SEARCH_PATH } from './frame.ts';
import { searchPage } from './search-page.ts';
import { withRoots } from './markdown.ts';
import { docsSearch, type Hit } from './search.ts';
import { Links } from '../links.ts';
import { HTML } from '../media-types.ts';

const MAX_QUERY_LENGTH = 200;
/** The results while typing must fit on a small screen. */
const MAX_SUGGESTIONS = 8;

/** A missing or repeated parameter counts as an empty query. */
const query = z.object({
  q: z
    .unknown()
    .optional()
    .transform((value) =>
      typeof value === 'string' ? value.slice(0, MAX_QUERY_LENGTH).trim() : '',
    ),
});

/** @param all the operations of the API, which the search includes */
export function docsSearchOperations(all: readonly Operation[], roots: () => Roots): Operation[] {
  const search = docsSearch(all, TOOLS);
  const searchOperation = (
    path: string,
    summary: string,
    type: string,
    respond: (q: string, hits: readonly Hit[], links: Links) => string,
  ) =>
    operation({
      id: `page ${path}`,
      method: 'get',
      path,
      tag: 'Site',
      summary,
      description: summary,
      auth: 'none',
      limit: 'site',
      query,
      answers: { 200: { description: 'The results', type, cached: true } },
      handle: async ({ query: { q } }) => {
        const links = new Links(roots());
        const found = await search(q);
        const hits = found.map((hit) => ({ ...hit, excerpt: withRoots(hit.excerpt, links) }));
        return {
          status: 200,
          headers: { 'Cache-Control': 'public, max-age=3600' },
          body: new PreparedAnswer(respond(q, hits, links), type),
        };
      },
    });
  return [
    searchOperation(SEARCH_PATH, 'Search results as a page', HTML, searchPage),
    searchOperation(
      `${SEARCH_PATH}.json`,
      'Search results while typing',
      JSON_TYPE,
      (_, hits, links) =>
        JSON.stringify({
          hits: hits.slice(0, MAX_SUGGESTIONS).map(({ title, page, path, excerpt }) => ({
            ...{ title, page, excerpt },
            url: links.page(path),
          })),
        }),
    ),
  ];
}
