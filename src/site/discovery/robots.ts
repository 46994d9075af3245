/** Rules for crawlers (RFC 9309). They may fetch all pages, but no tiles and API calls. */
import type { Roots } from '../../contract/openapi/about.ts';
import type { Operation } from '../../contract/operation.ts';

/** Tiles, of which there are too many, and paths for map clients and callers with a key */
const NOT_FOR_CRAWLERS = /^\/(?:tiles|fonts|styles|map-context|shared|agent|mcp)(?=\/|$)/;

export function robotsText(operations: readonly Operation[], { api, site }: Roots): string {
  const base = new URL(api).pathname.replace(/\/$/, '');
  const folders = operations.flatMap(({ path }) => NOT_FOR_CRAWLERS.exec(path)?.[0] ?? []);
  return [
    'User-agent: *',
    ...Array.from(new Set(folders), (folder) => `Disallow: ${base}${folder}`),
    // Link previews fetch the picture of a shared map. The longer rule takes precedence.
    `Allow: ${base}/shared/*/map.png`,
    'Allow: /',
    '',
    `Sitemap: ${site}/sitemap-index.xml`,
    '',
  ].join('\n');
}
