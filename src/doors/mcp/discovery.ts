/** Operations that describe the MCP server, without a credential. */
import type { Roots } from '../../base/contract/openapi/about.ts';
import { operation, type Operation } from '../../base/contract/operation.ts';
import { jsonText, PreparedAnswer } from '../../base/contract/prepared.ts';
import { mcpInfo, McpInfo, serverCard, ServerCard, SERVER_CARD_TYPE } from './info.ts';

/** Registries read a card about once an hour. */
const FOR_AN_HOUR = { 'Cache-Control': 'public, max-age=3600' };

const PUBLIC = { method: 'get', tag: 'Agents', auth: 'none', limit: 'mcp-info' } as const;

export function mcpDiscovery(roots: () => Roots): Operation[] {
  const info = makeOnce(() => new PreparedAnswer(jsonText(McpInfo, mcpInfo(roots()))));
  const card = makeOnce(
    () => new PreparedAnswer(jsonText(ServerCard, serverCard(roots())), SERVER_CARD_TYPE),
  );
  return [
    operation({
      ...PUBLIC,
      id: 'getMcpInfo',
      path: '/mcp/info',
      summary: 'Get the MCP server’s address and tools',
      description:
        'Returns the address of the MCP server, how to authenticate, and every tool with its cost in ' +
        'units. `/.well-known/mcp.json` is the same document.',
      answers: { 200: { description: 'The MCP server', schema: McpInfo, cached: true } },
      handle: async () => ({ status: 200, headers: FOR_AN_HOUR, body: info() }),
    }),
    operation({
      ...PUBLIC,
      id: 'getMcpServerCard',
      path: '/mcp/server-card',
      summary: 'Get the MCP server’s card',
      description:
        'Describes the server to registries. `/.well-known/ai-catalog.json` links to it, and `/mcp/info` lists the ' +
        'tools.',
      answers: {
        200: {
          description: 'The card',
          schema: ServerCard,
          types: [SERVER_CARD_TYPE],
          cached: true,
        },
      },
      handle: async () => ({ status: 200, headers: FOR_AN_HOUR, body: card() }),
    }),
  ];
}

/** Makes a value on first use: the roots are known only once the service listens. */
function makeOnce<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
