/** Searching the documentation, without a script. */
import { z } from 'zod';
import type { Roots } from '../../contract/openapi/about.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { PreparedAnswer } from '../../contract/prepared.ts';
import { documentation } from './documentation.ts';
import { SEARCH_PATH } from './frame.ts';
import { searchPage } from './search-page.ts';
import { Links } from '../links.ts';
import { HTML } from '../page.ts';

const LONGEST_QUERY = 200;

/** Of what an address may hold, whatever is no text is no query. */
const asQuery = (value: unknown) =>
  typeof value === 'string' ? value.slice(0, LONGEST_QUERY).trim() : '';

/** @param operations those that the documentation is about */
export function docsSearchOperation(operations: readonly Operation[], roots: () => Roots) {
  return operation({
    id: `page ${SEARCH_PATH}`,
    method: 'get',
    path: SEARCH_PATH,
    tag: 'Site',
    summary: 'Search of the documentation',
    description: 'Parts of the documentation that have all words of a query',
    auth: 'none',
    limit: 'site',
    query: z.object({ q: z.unknown().optional().transform(asQuery) }),
    answers: { 200: { description: 'What was found', type: HTML, cached: true } },
    handle: async ({ query: { q } }) => {
      const source = { roots: roots(), operations };
      const page = searchPage(documentation(source), q, new Links(source.roots));
      return {
        status: 200,
        headers: { 'Cache-Control': 'public, max-age=3600' },
        body: new PreparedAnswer(page, HTML),
      };
    },
  });
}
