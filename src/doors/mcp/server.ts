/** The MCP server of a single request. */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type Tool as ListedTool,
} from '@modelcontextprotocol/server';
import { callTool, type CallParts, type ToolAnswer } from '../tools/call-tool.ts';
import { TOOLS } from '../tools/tools.ts';
import type { Tool } from '../tools/tool.ts';
import { ServiceError } from '../../errors.ts';
import { SERVER_IDENTITY, INSTRUCTIONS } from './identity.ts';
import { complete } from './completion.ts';
import { invalidParams } from './params.ts';
import { getPrompt, PROMPTS } from './prompts.ts';
import { listResources, readResource, TEMPLATES } from './resources.ts';
import { inputSchema, outputSchema } from '../tools/support/tool-schema.ts';

/** These lists change only with a release, and are the same for every caller. */
const FIXED_LIST = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const byName = new Map<string, Tool>(TOOLS.map((tool) => [tool.name, tool]));

/**
 * Creates the server.
 * @param refuse receives the error of a refused call, which becomes an HTTP error instead of a response of the
 *   protocol
 */
export function mcpServer(parts: CallParts, refuse: (error: ServiceError) => void): Server {
  const server = new Server(SERVER_IDENTITY, {
    // Logging accepts a level but sends no messages, because no connection stays open.
    capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} },
    instructions: INSTRUCTIONS,
    cacheHints: {
      'tools/list': FIXED_LIST,
      'prompts/list': FIXED_LIST,
      'resources/templates/list': FIXED_LIST,
    },
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
  const { db, caller } = parts;
  server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler('prompts/get', ({ params }) =>
    inProtocolTerms(parts, () => getPrompt(params.name, params.arguments, caller)),
  );
  server.setRequestHandler('resources/list', ({ params }) =>
    inProtocolTerms(parts, () => listResources(caller, params?.cursor)),
  );
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [...TEMPLATES],
  }));
  server.setRequestHandler('resources/read', ({ params }) =>
    inProtocolTerms(parts, () => readResource(db, caller, params.uri)),
  );
  server.setRequestHandler('completion/complete', ({ params }) =>
    inProtocolTerms(parts, () => complete(params, caller)),
  );
  return server;
}

/** Runs the work and turns failures into protocol errors. Unlike tools, prompts and resources have no error results. */
async function inProtocolTerms<T>({ report }: CallParts, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const known = error instanceof ServiceError ? error : undefined;
    if (known && known.status < 500) {
      throw invalidParams(known.message);
    }
    report(error);
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      known?.message ?? 'An internal error occurred. Try again in a moment.',
    );
  }
}

function unknownTool(name: string): ProtocolError {
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  const names = TOOLS.map((tool) => tool.name).join(', ');
  return invalidParams(`Unknown tool: ${shown}. Available tools: ${names}.`);
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

/** Converts tool declarations to entries of tools/list. */
function listingOf(tool: Tool): ListedTool {
  const { name, title, summary, description, write, destructive, idempotent } = tool;
  return {
    name,
    title,
    description: `${summary}. ${description}`,
    inputSchema: inputSchema(tool) as ListedTool['inputSchema'],
    outputSchema: outputSchema(tool),
    annotations: {
      readOnlyHint: !write,
      destructiveHint: destructive ?? false,
      ...(write && { idempotentHint: idempotent ?? false }),
      // Tools only access the organization's own data.
      openWorldHint: false,
    },
  };
}

let made: readonly ListedTool[] | undefined;

/** Returns the list, which is the same for every caller. Making it takes 0.2 s, so the first call makes it. */
export const listing = (): readonly ListedTool[] => (made ??= TOOLS.map(listingOf));
