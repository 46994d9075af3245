/** Public descriptions of the MCP endpoint, generated from the tools' declarations. */
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { summaryOf, ToolSummary } from '../tools/capabilities.ts';
import { TOOLS } from '../tools/tools.ts';
import type { Roots } from '../../base/contract/openapi/about.ts';
import { addressesOf, resourceMetadataUrl } from '../../people/oauth/discovery.ts';
import { SERVER_IDENTITY } from './identity.ts';

/** The versions that the library declares, and the stateless one */
const PROTOCOL_VERSIONS = ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS];

export const McpInfo = z
  .object({
    name: z.string().optional(),
    version: z.string().optional(),
    transport: z.string().optional(),
    endpoint: z.url().optional(),
    authentication: z.string().optional(),
    tools: z.array(ToolSummary).optional(),
    docs: z.record(z.string(), z.string()).optional(),
  })
  .meta({
    id: 'McpInfo',
    description: 'The MCP server, and its tools with their cost in units',
    examples: [
      mcpInfo({ api: 'https://territory.example.com', site: 'https://territory.example.com' }),
    ],
  });

export function mcpInfo({ api, site }: Roots) {
  return {
    name: SERVER_IDENTITY.name,
    version: SERVER_IDENTITY.version,
    transport: 'streamable-http',
    endpoint: `${api}/mcp`,
    authentication:
      'Send an API key as "Authorization: Bearer svc_live_…", or use OAuth 2.1 to act for a person who ' +
      'signs in. The WWW-Authenticate header of the endpoint’s 401 response links to the OAuth metadata.',
    tools: TOOLS.map(summaryOf),
    docs: {
      guide: `${site}/docs/mcp`,
      reference: `${site}/docs/reference`,
      openapi: `${api}/openapi.json`,
      llms: `${site}/llms.txt`,
      methodology: `${site}/methodology`,
      serverCard: `${api}/mcp/server-card`,
      oauth: resourceMetadataUrl(addressesOf({ api, site })),
    },
  };
}

export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';

/** The card's schema allows 100 characters. */
const CARD_DESCRIPTION =
  'Demand scores for US ZIP codes, and the territories of home-services brands';

export const ServerCard = z
  .looseObject({
    $schema: z.url(),
    name: z.string(),
    version: z.string(),
    description: z.string().max(100),
    remotes: z.array(
      z.looseObject({
        type: z.string(),
        url: z.url(),
        supportedProtocolVersions: z.array(z.string()),
      }),
    ),
  })
  .meta({
    id: 'McpServerCard',
    description: 'Server card for MCP registries',
    examples: [
      serverCard({ api: 'https://territory.example.com', site: 'https://territory.example.com' }),
    ],
  });

export function serverCard({ api, site }: Roots) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${new URL(api).hostname.split('.').reverse().join('.')}/${SERVER_IDENTITY.name}`,
    title: SERVER_IDENTITY.title,
    version: SERVER_IDENTITY.version,
    description: CARD_DESCRIPTION,
    websiteUrl: site,
    remotes: [
      { type: 'streamable-http', url: `${api}/mcp`, supportedProtocolVersions: PROTOCOL_VERSIONS },
    ],
  };
}

export const AI_CATALOG_TYPE = 'application/ai-catalog+json';

/** Links to the server card. */
export function aiCatalog({ api }: Roots) {
  return {
    specVersion: '1.0',
    entries: [
      {
        identifier: `urn:air:${new URL(api).hostname}:mcp:${SERVER_IDENTITY.name}`,
        type: SERVER_CARD_TYPE,
        url: `${api}/mcp/server-card`,
      },
    ],
  };
}
