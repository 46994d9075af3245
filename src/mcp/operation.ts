/** `POST /mcp`: admits callers and answers failures that the protocol leaves to HTTP. */
import type { Logger } from 'pino';
import { requireAccess } from '../account/access.ts';
import type { Caller } from '../account/caller.ts';
import { operation, type Operation } from '../contract/operation.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import type { Renderer } from '../render/renderer.ts';
import type { DriveTimes } from '../routing/drive-times.ts';
import { answerMcp } from './answer.ts';
import { JsonRpcRequest, JsonRpcResponse, rpcError } from './json-rpc.ts';

export interface McpParts {
  db: Database;
  renderer: Pick<Renderer, 'render'>;
  driveTimes?: DriveTimes | undefined;
  log: Logger;
  apiRoot(): string;
  siteRoot(): string;
}

const example = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    content: [
      {
        type: 'text',
        text: '1 brand:\n- Lone Star Roofing (lone-star-roofing): 34 live, 0 pending',
      },
    ],
    structuredContent: {
      brands: [
        {
          id: '0d9a6f6e-9d0c-4d1a-9d4f-6f5a2b7c8d9e',
          slug: 'lone-star-roofing',
          name: 'Lone Star Roofing',
          live: 34,
          pending: 0,
        },
      ],
      nextCursor: null,
    },
    isError: false,
  },
};

export function mcpOperation(parts: McpParts): Operation {
  const { db, renderer, driveTimes, log, apiRoot, siteRoot } = parts;
  return operation({
    id: 'postMcp',
    method: 'post',
    path: '/mcp',
    tag: 'Agents',
    summary: 'Send a message to the MCP server',
    description:
      'Model Context Protocol over stateless Streamable HTTP. Each request carries one JSON-RPC ' +
      'message of revision 2026-07-28, or of revisions 2024-11-05 to 2025-11-25. `tools/list` ' +
      'describes the tools; `tools/call` calls one. If a tool call fails, its result has ' +
      '`isError: true`, with `code` and `error` in `structuredContent`. If a message is malformed, the ' +
      'response is a JSON-RPC error. `/mcp/info` lists the tools and their units. Connectors without ' +
      'an API key sign a person in with OAuth 2.1: the `WWW-Authenticate` header of the 401 response ' +
      'links to the metadata (RFC 9728).',
    auth: 'bearer-or-connector',
    limit: 'mcp',
    body: JsonRpcRequest,
    bodyExamples: {
      list: {
        summary: 'List the tools',
        value: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      },
      call: {
        summary: 'Get the ten best ZIP codes of a metro',
        value: {
          jsonrpc: '2.0',
          id: 2,
          method: 'tools/call',
          params: {
            name: 'service_score_territory',
            arguments: { vertical: 'roofing', metro: 'dallas-tx', limit: 10 },
          },
        },
      },
    },
    answers: {
      200: { description: 'The response message', schema: JsonRpcResponse, example },
      202: { description: 'The notification was accepted', empty: true },
      400: {
        description: 'The message is malformed or violates the protocol',
        schema: JsonRpcResponse,
        example: rpcError(-32700, 'The body is not valid JSON.'),
      },
      404: {
        description: 'The method does not exist (revision 2026-07-28 and later)',
        schema: JsonRpcResponse,
        example: { ...rpcError(-32601, 'Method not found'), id: 1 },
      },
    },
    errors: [402, 403],
    async handle(request) {
      const { body, headers, caller, signal } = request;
      refuseOtherOrigins(headers.origin, apiRoot());
      const known = caller as Caller;
      requireAccess(known);
      return answerMcp(
        { message: body, headers },
        {
          db,
          renderer,
          driveTimes,
          caller: known,
          apiRoot: apiRoot(),
          siteRoot: siteRoot(),
          signal,
          report: (error) => log.error({ err: error, ...request.logFields() }, 'tool failed'),
        },
      );
    },
    malformed: ({ error, isJson }) => ({
      status: 400 as const,
      body: rpcError(isJson ? -32600 : -32700, error.message),
    }),
  });
}

/**
 * Keeps web pages of other origins from calling on behalf of a visitor. Programs send no Origin.
 * @throws ServiceError 403
 */
function refuseOtherOrigins(origin: string | undefined, apiRoot: string): void {
  if (origin === undefined || origin === new URL(apiRoot).origin) return;
  throw new ServiceError(
    403,
    'origin_not_allowed',
    'Web pages of other origins can’t call this endpoint. Call it from a program, without an Origin header.',
  );
}
