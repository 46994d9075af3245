/** Files at the site's root that help crawlers, agents, and tools discover the service. */
import type { Roots } from '../../../base/contract/openapi/about.ts';
import type { Operation } from '../../../base/contract/operation.ts';
import type { Database } from '../../../base/db/database.ts';
import { MARKDOWN } from '../media-types.ts';
import { data } from '../framework/data.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { sitemapPages } from './sitemaps.ts';
import { AI_CATALOG_TYPE, aiCatalog, mcpInfo } from '../../mcp/info.ts';
import { z } from 'zod';
import { notFound } from '../../../errors.ts';
import {
  addressesOf,
  KEYS,
  OPENID_METADATA,
  openIdMetadata,
  RESOURCE_METADATA,
  resourceMetadata,
  SERVER_METADATA,
  serverMetadata,
  type Addresses,
} from '../../../people/oauth/discovery.ts';

const WELL_KNOWN = {
  audience: 'public',
  type: 'application/json; charset=utf-8',
  limit: 'well-known',
} as const;

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
      ...WELL_KNOWN,
      type: API_CATALOG_TYPE,
      path: '/.well-known/api-catalog',
      // RFC 9727, section 2: responses to HEAD include it too.
      headers: () => ({ Link: `<${roots().site}/.well-known/api-catalog>; rel="api-catalog"` }),
      make: async () => apiCatalog(roots()),
    }),
    data({
      ...WELL_KNOWN,
      path: '/.well-known/mcp.json',
      make: async () => JSON.stringify(mcpInfo(roots())),
    }),
    data({
      ...WELL_KNOWN,
      type: AI_CATALOG_TYPE,
      path: '/.well-known/ai-catalog.json',
      make: async () => JSON.stringify(aiCatalog(roots())),
    }),
    ...connectorDiscovery(roots),
  ];
}

/** Tiles, of which there are too many, and paths for map clients and callers with a key */
const NOT_FOR_CRAWLERS = /^\/(?:tiles|fonts|styles|map-context|shared|agent|mcp)(?=\/|$)/;

function robotsText(operations: readonly Operation[], { api, site }: Roots): string {
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

/** Addresses of the API, its contract, and its documentation (an RFC 9264 linkset for RFC 9727). */
const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

function apiCatalog({ api, site }: Roots): string {
  return JSON.stringify({
    linkset: [
      {
        anchor: `${api}/`,
        'service-desc': [
          { href: `${api}/openapi.json`, type: 'application/json' },
          { href: `${api}/openapi.yaml`, type: 'application/yaml' },
        ],
        'service-doc': [
          { href: `${site}/docs`, type: 'text/html' },
          { href: `${site}/docs/reference`, type: 'text/html' },
          { href: `${site}/llms-full.txt`, type: 'text/markdown' },
        ],
        'service-meta': [
          { href: `${api}/mcp/info`, type: 'application/json', title: 'MCP server' },
          { href: `${site}/llms.txt`, type: 'text/markdown' },
        ],
        status: [{ href: `${api}/healthz`, type: 'application/json' }],
      },
    ],
  });
}

/** The documents that let connectors find the authorization server */
const DOCUMENTS: readonly [path: string, document: (of: Addresses) => object][] = [
  [RESOURCE_METADATA, resourceMetadata],
  [SERVER_METADATA, serverMetadata],
  [OPENID_METADATA, openIdMetadata],
];

/**
 * A client that knows only the URL of the endpoint puts its path after the well-known path (RFC 8414, 3.1;
 * RFC 9728, 3.1), before it (OpenID Connect Discovery 1.0, 4), or leaves it out.
 */
function connectorDiscovery(roots: () => Roots): Operation[] {
  const documents = DOCUMENTS.map(([path, document]) =>
    data({
      ...WELL_KNOWN,
      path: `{/*before}${path}{/*after}`,
      params: z.object({ before: z.string().optional(), after: z.string().optional() }),
      async make({ before, after }) {
        const of = addressesOf(roots());
        const subject = pathOf(before) + pathOf(after);
        if (subjects(of).includes(subject)) return JSON.stringify(document(of));
        throw notFound(`${subject} neither issues nor accepts tokens.`);
      },
    }),
  );
  return [...documents, data({ ...WELL_KNOWN, path: KEYS, make: async () => '{"keys":[]}' })];
}

/** The paths of the site, the API, and the MCP endpoint: in public, and behind a proxy that removes the site's path. */
const subjects = ({ site, api, mcp }: Addresses) =>
  [site, api, mcp].flatMap((url) => [
    pathOf(new URL(url).pathname.slice(1)),
    url.slice(site.length),
  ]);

const pathOf = (segments = '') => (segments === '' ? '' : `/${segments.replace(/\/$/, '')}`);
