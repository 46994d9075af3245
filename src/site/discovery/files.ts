/** Files at the site's root that help crawlers, agents, and tools discover the service. */
import type { Roots } from '../../contract/openapi/about.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import { MARKDOWN } from '../media-types.ts';
import { data } from '../framework/data.ts';
import { apiCatalog, API_CATALOG_TYPE } from './api-catalog.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { robotsText } from './robots.ts';
import { sitemapPages } from './sitemaps.ts';

export function discoveryFiles(
  db: Database,
  operations: readonly Operation[],
  roots: () => Roots,
): Operation[] {
  const file = (path: string, type: string, text: () => string) =>
    data({ audience: 'public', path, type, make: async () => text() });
  return [
    file('/llms.txt', MARKDOWN, () => llmsText(operations, roots())),
    file('/llms-full.txt', MARKDOWN, () => llmsFullText(operations, roots())),
    file('/robots.txt', 'text/plain; charset=utf-8', () => robotsText(operations, roots())),
    ...sitemapPages(db, roots),
    data({
      audience: 'public',
      path: '/.well-known/api-catalog',
      type: API_CATALOG_TYPE,
      limit: 'well-known',
      // RFC 9727, section 2: responses to HEAD include it too.
      headers: () => ({ Link: `<${roots().site}/.well-known/api-catalog>; rel="api-catalog"` }),
      make: async () => apiCatalog(roots()),
    }),
  ];
}
