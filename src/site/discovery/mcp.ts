/** Files at the site's root that help programs find the MCP server. */
import type { Roots } from '../../contract/openapi/about.ts';
import type { Operation } from '../../contract/operation.ts';
import { AI_CATALOG_TYPE, aiCatalog, mcpInfo } from '../../mcp/info.ts';
import { data } from '../framework/data.ts';

export function mcpDiscoveryFiles(roots: () => Roots): Operation[] {
  return [
    data({
      audience: 'public',
      path: '/.well-known/mcp.json',
      type: 'application/json; charset=utf-8',
      limit: 'well-known',
      make: async () => JSON.stringify(mcpInfo(roots())),
    }),
    data({
      audience: 'public',
      path: '/.well-known/ai-catalog.json',
      type: AI_CATALOG_TYPE,
      limit: 'well-known',
      make: async () => JSON.stringify(aiCatalog(roots())),
    }),
  ];
}
