/** The layout of public pages: head, header, and footer. */
import { VERTICALS } from '../../data/scoring/verticals.ts';
import { SERVICE_NAME } from '../../base/text/service-name.ts';
import { FAVICON_PATH, type AssetName } from './assets.ts';
import { htmlDocument } from './document.ts';
import { dataBlock, html, type Html } from './html.ts';
import {
  mapPath,
  METROS_PATH,
  SEARCH_PATH,
  VERTICALS_PATH,
  type Links,
  type MapImage,
} from './links.ts';

interface PageContent {
  /** Without the site name */
  title: string;
  /** One or two sentences, for search results and link previews */
  description: string;
  /** Path from the site root; null for a page without an address, such as an error */
  path: string | null;
  /** Map in link previews */
  map?: Omit<MapImage, 'size'>;
  /** schema.org data for crawlers */
  structuredData?: Record<string, unknown>;
  /** Shown between the header and the content */
  bar?: Html;
  /** The page's stylesheets and scripts */
  assets?: readonly AssetName[];
  /**
   * Whether the page has a MapLibre GL map. `later` replaces a picture with it after the page has loaded
   */
  hasMap?: boolean | 'later';
  /**
   * Whether the content fills the screen, as a map does. There is no footer, and the header has the full
   * width
   */
  fillsScreen?: boolean;
  /** Text in the search box */
  query?: string;
  main: Html;
}

export function renderPage(content: PageContent, links: Links): string {
  const { bar, main, assets = [], hasMap = false, fillsScreen = false } = content;
  const body = html`<a class="skip" href="#main">Skip to content</a>
    ${header(content, links)} ${bar}
    <main id="main">${main}</main>
    ${!fillsScreen && footer(links)}`;
  const kind = fillsScreen ? 'fills-screen' : undefined;
  const scripts: AssetName[] = [
    // A page that fills the screen has its own search.
    ...(fillsScreen ? [] : (['browser/header-search.ts'] as const)),
    ...(main.text.includes(' data-show-password') ? (['browser/show-password.ts'] as const) : []),
  ];
  return htmlDocument(
    { head: head(content, links), body, assets: [...scripts, ...assets], hasMap, kind },
    links,
  );
}

const PREVIEW_SIZE = { width: 1200, height: 630 } as const;

function head({ title, description, path, map, structuredData }: PageContent, links: Links): Html {
  const fullTitle = path === '/' ? `${SERVICE_NAME}: ${title}` : `${title} · ${SERVICE_NAME}`;
  return html`<title>${fullTitle}</title>
    <meta name="description" content="${description}" />
    ${
      path === null
        ? html`<meta name="robots" content="noindex" />`
        : html`<link rel="canonical" href="${links.absolute(path)}" />
            <meta property="og:url" content="${links.absolute(path)}" />`
    }
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${SERVICE_NAME}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    ${map && previewImage(map, links)}
    <link rel="describedby" type="text/markdown" href="${links.page('/llms.txt')}" />
    ${
      structuredData &&
      dataBlock('application/ld+json', { '@context': 'https://schema.org', ...structuredData })
    }`;
}

function previewImage(map: Omit<MapImage, 'size'>, links: Links): Html {
  const { width, height } = PREVIEW_SIZE;
  const url = links.absoluteApi(mapPath({ ...map, size: `${width}x${height}` }));
  return html`<meta property="og:image" content="${url}" />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="${width}" />
    <meta property="og:image:height" content="${height}" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

/** Opens the page of results, even without JavaScript. */
function searchBox(query: string, links: Links): Html {
  return html`<search>
    <form action="${links.page(SEARCH_PATH)}" class="place-search" data-place-search>
      <input
        type="search"
        name="q"
        value="${query}"
        maxlength="100"
        placeholder="ZIP code, city, county, metro"
        aria-label="Search for a ZIP code or place"
        autocomplete="off"
      />
    </form>
  </search>`;
}

function header({ path: current, query = '' }: PageContent, links: Links): Html {
  const entries: [string, string][] = [
    ['/explore', 'Explore'],
    ['/methodology', 'Methodology'],
    ['/docs', 'Docs'],
    ['/account', 'Account'],
  ];
  const entry = ([path, label]: [string, string]) =>
    html`<li>
      <a href="${links.page(path)}" ${ariaCurrent(path, current)}>${label}</a>
    </li>`;
  return html`<header class="site-header">
    <a class="brand" href="${links.page('/')}">
      <img src="${links.page(FAVICON_PATH)}" alt="" width="26" height="26" />${SERVICE_NAME}
    </a>
    ${searchBox(query, links)}
    <nav aria-label="Site">
      <ul>
        ${entries.map(entry)}
      </ul>
    </nav>
  </header>`;
}

/** Marks the entry of this page, or of the section that contains it. */
function ariaCurrent(path: string, current: string | null): Html | false {
  if (path === current) return html`aria-current="page"`;
  return current?.startsWith(`${path}/`) === true && html`aria-current="true"`;
}

function footer(links: Links): Html {
  const verticals = VERTICALS.map(({ slug, label }): [string, string] => [
    links.vertical(slug),
    label,
  ]);
  return html`<footer class="site-footer">
    ${linkList('Verticals', [[links.page(VERTICALS_PATH), 'All verticals'], ...verticals])}
    ${linkList('Data', [
      [links.page(METROS_PATH), 'Metros'],
      [links.page('/methodology'), 'Methodology'],
      [links.page('/data-study'), 'Data study'],
      [links.api('/public/data-study.csv'), 'Data study as CSV'],
      [links.page('/picture-builder'), 'Picture builder'],
    ])}
    ${linkList('For developers', [
      [links.page('/docs'), 'Documentation'],
      [links.page('/docs/reference'), 'API reference'],
      [links.api('/openapi.json'), 'OpenAPI document'],
      [links.page('/llms.txt'), 'llms.txt'],
    ])}
  </footer>`;
}

function linkList(title: string, entries: readonly [url: string, label: string][]): Html {
  return html`<nav aria-label="${title}">
    <p class="footer-title">${title}</p>
    <ul>
      ${entries.map(([url, label]) => html`<li><a href="${url}">${label}</a></li>`)}
    </ul>
  </nav>`;
}
