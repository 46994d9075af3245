/** The site's pages for search engines (sitemaps.org protocol 0.9). */
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { readDatasets } from '../../../base/db/datasets.ts';
import type { Database, Queryable } from '../../../base/db/database.ts';
import { importedData } from '../../../base/db/imported-data.ts';
import { launchedMetros } from '../../../data/market/metros.ts';
import { launchedZips } from '../../../data/market/public/metro.ts';
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import { DOCS_PATHS } from '../docs/guides.ts';
import {
  explorePath,
  metroPath,
  METROS_PATH,
  metroVerticalPath,
  verticalPath,
  VERTICALS_PATH,
  zipPath,
} from '../links.ts';
import { data } from '../framework/data.ts';
import type { Operation } from '../../../base/contract/operation.ts';
import { escapeHtml } from '../../../base/text/escape-html.ts';

const XML = 'application/xml; charset=utf-8';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Paths by the name of their sitemap. The protocol allows 50,000 per file. */
const SITEMAPS: Record<string, (db: Queryable) => string[] | Promise<string[]>> = {
  pages: () => [
    '/',
    '/methodology',
    '/data-study',
    '/explore',
    ...VERTICALS.map(({ slug }) => explorePath(slug)),
    ...DOCS_PATHS,
    VERTICALS_PATH,
    ...VERTICALS.map(({ slug }) => verticalPath(slug)),
  ],
  metros: () => [
    METROS_PATH,
    ...launchedMetros().flatMap((metro) => [
      metroPath(metro.slug),
      ...VERTICALS.map(({ slug }) => metroVerticalPath(metro.slug, slug)),
    ]),
  ],
  zips: async (db) => (await launchedZips(db)).map(zipPath),
};

export function sitemapPages(db: Database, roots: () => Roots): Operation[] {
  const scores = importedData(db, ['scores', 'boundaries']);
  /** When the scores, and thereby the pages, last changed; undefined without scores. */
  const lastChangeOf = async (db: Queryable) =>
    (await readDatasets(db)).get('scores')?.importedAt.toISOString();
  const file = (
    path: string,
    element: string,
    entry: string,
    paths: (db: Queryable) => string[] | Promise<string[]>,
  ) =>
    data({
      audience: 'public',
      path,
      type: XML,
      data: scores,
      make: async (_, db) => {
        const { site } = roots();
        const addresses = (await paths(db)).map((page) => site + page);
        return xml(element, entry, addresses, await lastChangeOf(db));
      },
    });
  return [
    file('/sitemap-index.xml', 'sitemapindex', 'sitemap', () =>
      Object.keys(SITEMAPS).map((name) => `/sitemaps/${name}.xml`),
    ),
    ...Object.entries(SITEMAPS).map(([name, paths]) =>
      file(`/sitemaps/${name}.xml`, 'urlset', 'url', paths),
    ),
  ];
}

function xml(element: string, entry: string, addresses: string[], changed?: string): string {
  const lastmod = changed ? `<lastmod>${changed}</lastmod>` : '';
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${element} xmlns="${NAMESPACE}">`,
    // The configured root may contain characters that are reserved in XML.
    ...addresses.map((url) => `<${entry}><loc>${escapeHtml(url)}</loc>${lastmod}</${entry}>`),
    `</${element}>`,
    '',
  ].join('\n');
}
