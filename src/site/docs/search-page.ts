/** The page of all search results. It also serves browsers without JavaScript. */
import { pluralize } from '../../text/words.ts';
import { html, type Html } from '../html.ts';
import type { Links } from '../links.ts';
import { docsFrame } from './frame.ts';
import { beginningWith, type Hit } from './search.ts';

export function searchPage(query: string, hits: readonly Hit[], links: Links): string {
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
