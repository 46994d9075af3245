/** Files at the site's root that help crawlers, agents, and tools discover the service. */
import type { Roots } from '../../contract/openapi/about.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Queryable } from '../../db/database.ts';
import { MARKDOWN, sitePage, type SitePage } from '../page.ts';
import { apiCatalog, API_CATALOG_TYPE } from './api-catalog.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { robotsText } from './robots.ts';
import { sitemapPages } from './sitemaps.ts';

export function discoveryFiles(
  db: Queryable,
  operations: readonly Operation[],
  roots: () => Roots,
): SitePage[] {
  return [
    sitePage({
      path: '/llms.txt',
      type: MARKDOWN,
      make: async () => llmsText(operations, roots()),
    }),
    sitePage({
      path: '/llms-full.txt',
      type: MARKDOWN,
      make: async () => llmsFullText(operations, roots()),
    }),
    sitePage({
      path: '/robots.txt',
      type: 'text/plain; charset=utf-8',
      make: async () => robotsText(operations, roots()),
    }),
    ...sitemapPages(db, roots),
    sitePage({
      path: '/.well-known/api-catalog',
      type: API_CATALOG_TYPE,
      limit: 'well-known',
      // RFC 9727, section 2: HEAD requests get it too.
      headers: () => ({ Link: `<${roots().site}/.well-known/api-catalog>; rel="api-catalog"` }),
      make: async () => apiCatalog(roots()),
    }),
  ];
}
