/** Addresses of the API, its contract, and its documentation (an RFC 9264 linkset for RFC 9727). */
import type { Roots } from '../../contract/openapi/about.ts';

export const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

export function apiCatalog({ api, site }: Roots): string {
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
