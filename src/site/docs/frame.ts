/** What every page of the documentation has around its content: the way to all the others. */
import { html, type Html } from '../html.ts';
import { page } from '../layout.ts';
import type { Links } from '../links.ts';
import type { DocPage } from './blocks.ts';
import { anchorOf, sectionHtml } from './to-html.ts';

export const SEARCH_PATH = '/docs/search';

/** A page that the navigation leads to: one of the documentation, or one that was there already. */
export type Entry = Pick<DocPage, 'path' | 'name'> & Partial<Pick<DocPage, 'sections'>>;

export interface Group {
  title: string;
  entries: readonly Entry[];
}

export function docHtml(content: DocPage, groups: readonly Group[], links: Links): string {
  const article = html`<h1>${content.title}</h1>
    <p class="lead">${content.description}</p>
    ${content.sections.map((section) => sectionHtml(section, links))}`;
  return docsFrame({ ...content, article }, groups, links);
}

interface FrameContent {
  /** Null for a page that has no place in the navigation */
  path: string | null;
  article: Html;
  /** What was searched for */
  query?: string;
}

export function docsFrame(
  content: Pick<DocPage, 'name' | 'title' | 'description' | 'assets'> & FrameContent,
  groups: readonly Group[],
  links: Links,
): string {
  const { title, description, path, article, assets = [] } = content;
  const main = html`<div class="docs">
      ${navigation(content, groups, links)}
      <article>${article} ${turning(path, groups, links)}</article>
    </div>
    <p class="visually-hidden" role="status" id="copied"></p>`;
  const structuredData = path !== null && {
    '@type': 'TechArticle',
    headline: title,
    description,
    url: links.absolute(path),
  };
  return page(
    {
      ...{ title, description, path, main },
      ...(structuredData && { structuredData }),
      assets: ['docs/docs.css', 'docs/script.ts', ...assets],
    },
    links,
  );
}

function navigation(
  { path, name, query = '' }: Pick<FrameContent, 'path' | 'query'> & Pick<DocPage, 'name'>,
  groups: readonly Group[],
  links: Links,
): Html {
  return html`<div class="docs-side">
    <search>
      <form action="${links.page(SEARCH_PATH)}">
        <input
          type="search"
          name="q"
          value="${query}"
          maxlength="200"
          placeholder="Search"
          aria-label="Search the documentation"
        />
      </form>
    </search>
    <nav class="docs-nav" aria-label="Documentation">
      <details>
        <summary>Documentation<span>${name}</span></summary>
        <div>
          ${groups.map(
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
  const titles = isCurrent ? (entry.sections ?? []).flatMap(({ title }) => title ?? []) : [];
  return html`<li>
    <a href="${links.page(entry.path)}" ${isCurrent && html`aria-current="page"`}>${entry.name}</a>
    ${
      titles.length > 0 &&
      html`<ul>
        ${titles.map((title) => html`<li><a href="#${anchorOf(title)}">${title}</a></li>`)}
      </ul>`
    }
  </li>`;
}

/** To the page before and the page after. */
function turning(current: string | null, groups: readonly Group[], links: Links): Html | false {
  if (current === null) return false;
  const entries = groups.flatMap((group) => group.entries);
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
