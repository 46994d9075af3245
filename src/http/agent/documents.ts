/** Documents at their old paths, kept for older clients. */
import { z } from 'zod';
import type { Roots } from '../../contract/openapi/about.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { exampleOf } from '../../contract/resources.ts';
import { mcpInfo, McpInfo } from '../../mcp/info.ts';
import { DOCUMENT_EXAMPLE, OpenApiDocument, type Documents } from '../service/openapi.ts';
import { AGENTS, NO_STORE, PRIVATE_FOR_A_DAY } from './shared.ts';

export function contractAliasOperation(documents: Documents): Operation {
  return operation({
    ...AGENTS,
    id: 'getAgentOpenApi',
    method: 'get',
    path: '/agent/openapi.json',
    summary: 'Get this contract (alias)',
    description: 'The same document as `/openapi.json`. This alias is kept for older clients.',
    answers: {
      200: {
        description: 'The contract',
        schema: OpenApiDocument,
        example: DOCUMENT_EXAMPLE,
        cached: true,
      },
    },
    handle: async () => ({
      status: 200,
      headers: PRIVATE_FOR_A_DAY,
      body: await documents.json('application/json'),
    }),
  });
}

const Manifest = z.looseObject({}).meta({ id: 'McpManifest', description: 'Free-form manifest' });

export function manifestOperation(roots: () => Roots): Operation {
  return operation({
    ...AGENTS,
    id: 'getMcpManifest',
    method: 'get',
    path: '/agent/mcp-manifest.json',
    summary: 'Get the MCP manifest',
    description:
      'Deprecated. Use `/mcp/info` or `/.well-known/mcp.json`, which return the same information.',
    deprecated: {
      since: '2026-08-22',
      sunset: '2027-08-22',
      successors: ['/mcp/info', '/.well-known/mcp.json'],
    },
    answers: {
      200: { description: 'The manifest', schema: Manifest, example: exampleOf(McpInfo) },
    },
    handle: async () => ({ status: 200, headers: NO_STORE, body: mcpInfo(roots()) }),
  });
}
