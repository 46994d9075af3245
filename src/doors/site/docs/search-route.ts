/** Routes of the documentation search: a page of results, and JSON for results while typing. */
import { z } from 'zod';
import { TOOLS } from '../../tools/tools.ts';
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { JSON_TYPE, PreparedAnswer } from '../../../base/contract/prepared.ts';
import { SEARCH_PATH, docsFrame } from './frame.ts';
import { withRoots } from './markdown.ts';
import { docsSearch, type Hit, beginningWith } from './search.ts';
import { Links } from '../links.ts';
import { HTML } from '../media-types.ts';
import { pluralize } from '../../../base/text/words.ts';
import { html, type Html } from '../html.ts';

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
          hits: hits
            .slice(0, MAX_SUGGESTIONS)
            .map(({ title, page, path, excerpt }) => ({
              title,
              page,
              excerpt,
              url: links.page(path),
            })),
        }),
    ),
  ];
}

/** The page of all search results. It also serves browsers without JavaScript. */
function searchPage(query: string, hits: readonly Hit[], links: Links): string {
  const article = html`<h1>Search</h1>
    <p class="lead">${summaryOf(query, hits)}</p>
    <ol class="hits">
      ${hits.map((hit) => hitHtml(hit, links))}
    </ol>`;
  const content = {
    path: null,
    name: 'Search',
    title: 'Search',
    description: 'Search results from the documentation.',
    article,
    query,
  };
  return docsFrame(content, links);
}

function summaryOf(query: string, hits: readonly Hit[]): string {
  if (query === '') return 'Enter a topic, an error code, a path, or a command.';
  if (hits.length === 0) return `No results for “${query}”. Try fewer or other words.`;
  return `${pluralize(hits.length, 'result')} for “${query}”`;
}

const hitHtml = ({ title, page, path, excerpt, words }: Hit, links: Links): Html =>
  html`<li>
    <h2><a href="${links.page(path)}">${title}</a></h2>
    ${page !== title && html`<p class="quiet">${page}</p>`}
    <p>${highlight(excerpt, words)}</p>
  </li>`;

function highlight(text: string, words: readonly string[]): Html {
  // Every other piece is a match.
  const pieces = text.split(beginningWith(words));
  return html`${pieces.map((piece, i) => (i % 2 === 1 ? html`<mark>${piece}</mark>` : piece))}`;
}
