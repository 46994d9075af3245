/** What was found in the documentation. */
import { counted } from '../../words.ts';
import { html, type Html } from '../html.ts';
import type { Links } from '../links.ts';
import type { Documentation } from './documentation.ts';
import { docsFrame } from './frame.ts';
import { beginningWith, search, wordsOf, type Hit } from './search.ts';
import { anchorOf } from './to-html.ts';

export function searchPage({ pages, groups }: Documentation, query: string, links: Links): string {
  const hits = search(pages, query);
  const words = wordsOf(query);
  const told =
    words.length === 0
      ? 'Write a word or several, such as a code, a path or a command.'
      : hits.length === 0
        ? `No part of the documentation has “${words.join(' ')}”. Fewer words find more.`
        : `${counted(hits.length, 'part')} for “${words.join(' ')}”`;
  const article = html`<h1>Search</h1>
    <p class="lead">${told}</p>
    <ol class="hits">
      ${hits.map((hit) => hitHtml(hit, words, links))}
    </ol>`;
  const content = {
    path: null,
    name: 'Search',
    title: 'Search',
    description: 'What was found in the documentation.',
    article,
    query,
  };
  return docsFrame(content, groups, links);
}

function hitHtml({ page, section, excerpt }: Hit, words: readonly string[], links: Links): Html {
  const href = links.page(page.path) + (section ? `#${anchorOf(section)}` : '');
  return html`<li>
    <h2><a href="${href}">${section ?? page.name}</a></h2>
    ${section && html`<p class="quiet">${page.name}</p>`}
    <p>${marked(excerpt, words)}</p>
  </li>`;
}

function marked(text: string, words: readonly string[]): Html {
  const pieces = text.split(beginningWith(words));
  // Every second piece is what was split at.
  return html`${pieces.map((piece, i) => (i % 2 === 1 ? html`<mark>${piece}</mark>` : piece))}`;
}
