/** The MCP server of a single request. */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import { callTool, type CallParts, type ToolAnswer } from '../agent/call-tool.ts';
import { TOOLS } from '../agent/tools.ts';
import type { Tool } from '../agent/tool.ts';
import { ServiceError } from '../errors.ts';
import { SERVER_IDENTITY, INSTRUCTIONS } from './identity.ts';
import { listing } from './listing.ts';

/** The list changes only with a release, and is the same for every caller. */
const LIST_TTL_MS = 3_600_000;

const byName = new Map<string, Tool>(TOOLS.map((tool) => [tool.name, tool]));

/**
 * @param refuse receives the error of a call that wasn't served. It becomes an HTTP error, instead of
 *   the protocol's response.
 */
export function mcpServer(parts: CallParts, refuse: (error: ServiceError) => void): Server {
  const server = new Server(SERVER_IDENTITY, {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'public' } },
  });
  server.setRequestHandler('tools/list', () => ({ tools: [...listing()] }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = byName.get(params.name);
    if (!tool) throw unknownTool(params.name);
    try {
      return resultOf(await callTool(tool, params.arguments, parts));
    } catch (error) {
      if (error instanceof ServiceError) refuse(error);
      throw error;
    }
  });
  return server;
}

function unknownTool(name: string): ProtocolError {
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool: ${shown}. Available tools: ${TOOLS.map((tool) => tool.name).join(', ')}.`,
  );
}

function resultOf({ isError, data, text, image }: ToolAnswer): CallToolResult {
  return {
    isError,
    structuredContent: data,
    content: [
      { type: 'text', text },
      ...(image
        ? [{ type: 'image' as const, data: image.bytes.toString('base64'), mimeType: image.type }]
        : []),
    ],
  };
}
