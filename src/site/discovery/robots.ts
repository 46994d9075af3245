/** What crawlers may fetch (RFC 9309): every page, but not the interface's bulk. */
import type { Roots } from '../../contract/openapi/about.ts';
import type { Operation } from '../../contract/operation.ts';

/** Tiles without number, and what only map clients or holders of a key can use */
const NOT_FOR_CRAWLERS = /^\/(?:tiles|fonts|styles|map-context|shared|agent|mcp)(?=\/|$)/;

export function robotsText(operations: readonly Operation[], { api, site }: Roots): string {
  const base = new URL(api).pathname.replace(/\/$/, '');
  const folders = operations.flatMap(({ path }) => NOT_FOR_CRAWLERS.exec(path)?.[0] ?? []);
  return [
    'User-agent: *',
    ...Array.from(new Set(folders), (folder) => `Disallow: ${base}${folder}`),
    // Who shows previews of links fetches the picture of a shared map. The longer rule holds.
    `Allow: ${base}/shared/*/map.png`,
    'Allow: /',
    '',
    `Sitemap: ${site}/sitemap-index.xml`,
    '',
  ].join('\n');
}
