/** The frame of every documentation page: search, navigation, previous and next page. */
import type { AssetName } from '../assets.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import type { Links } from '../links.ts';
import { GROUPS, type Entry, type Guide } from './guides.ts';
import { guideHtml } from './markdown.ts';

export const SEARCH_PATH = '/docs/search';

export function guidePage(guide: Guide, links: Links): string {
  const article = guideHtml(guide.markdown, links);
  // Old links to operations open the front page. Its script forwards them to the reference.
  const assets = guide.path === '/docs' ? (['docs/home/script.ts'] as const) : [];
  return docsFrame({ ...guide, article, assets }, links);
}

interface DocsContent extends Pick<Guide, 'name' | 'title' | 'description'> {
  /** Null for a page that isn't in the navigation */
  path: string | null;
  article: Html;
  /** The search query */
  query?: string;
  assets?: readonly AssetName[];
}

export function docsFrame(content: DocsContent, links: Links): string {
  const { title, description, path, article, assets = [] } = content;
  const main = html`<div class="docs">
      ${sidebar(content, links)}
      <article>${article} ${previousAndNext(path, links)}</article>
    </div>
    <p class="visually-hidden" role="status" id="copied"></p>`;
  const structuredData = path !== null && {
    '@type': 'TechArticle',
    headline: title,
    description,
    url: links.absolute(path),
  };
  return renderPage(
    {
      title,
      description,
      path,
      main,
      ...(structuredData && { structuredData }),
      assets: ['docs/docs.css', 'docs/script.ts', 'docs/search/script.ts', ...assets],
    },
    links,
  );
}

function sidebar({ path, name, query = '' }: DocsContent, links: Links): Html {
  return html`<div class="docs-side">
    <search>
      <form action="${links.page(SEARCH_PATH)}" data-docs-search>
        <input
          type="search"
          name="q"
          value="${query}"
          maxlength="200"
          placeholder="Search"
          aria-label="Search the documentation"
          autocomplete="off"
        />
      </form>
    </search>
    <nav class="docs-nav" aria-label="Documentation" tabindex="0">
      <details>
        <summary>Documentation<span>${name}</span></summary>
        <div>
          ${GROUPS.map(
            (group) =>
              html`<p>${group.title}</p>
                <ul>
                  ${group.entries.map((entry) => navigationEntry(entry, path, links))}
                </ul>`,
          )}
        </div>
      </details>
    </nav>
  </div>`;
}

function navigationEntry(entry: Entry, current: string | null, links: Links): Html {
  const isCurrent = entry.path === current;
  const sections = isCurrent ? (entry.sections ?? []).filter(({ level }) => level === 2) : [];
  return html`<li>
    <a href="${links.page(entry.path)}" ${isCurrent && html`aria-current="page"`}>${entry.name}</a>
    ${
      sections.length > 0 &&
      html`<ul>
        ${sections.map(({ title, anchor }) => html`<li><a href="#${anchor}">${title}</a></li>`)}
      </ul>`
    }
  </li>`;
}

function previousAndNext(current: string | null, links: Links): Html | false {
  if (current === null) return false;
  const entries = GROUPS.flatMap((group) => group.entries);
  const at = entries.findIndex(({ path }) => path === current);
  const link = (entry: Entry | undefined, rel: 'prev' | 'next') =>
    entry &&
    html`<a rel="${rel}" href="${links.page(entry.path)}">
      <span>${rel === 'prev' ? 'Previous' : 'Next'}</span>${entry.name}
    </a>`;
  return html`<nav class="docs-turn" aria-label="Previous and next page">
    ${link(entries[at - 1], 'prev')} ${link(entries[at + 1], 'next')}
  </nav>`;
}
