/** `POST /mcp`: admits callers and answers failures that the protocol leaves to HTTP. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { requireMeteredAccess } from '../../people/metering/require-access.ts';
import type { Caller } from '../../people/account/caller.ts';
import { operation, type Operation } from '../../base/contract/operation.ts';
import type { Database } from '../../base/db/database.ts';
import { ServiceError } from '../../errors.ts';
import type { MapRenderer } from '../../maps/cartography/map-renderer.ts';
import type { DriveTimes } from '../../data/routing/drive-times.ts';
import { answerMcp } from './answer.ts';
import { JsonRpcRequest, JsonRpcResponse, rpcFailure } from './json-rpc.ts';

interface McpParts {
  db: Database;
  renderer: MapRenderer;
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
      'response is a JSON-RPC error. Errors of HTTP, such as 401, 402, and 429, are JSON-RPC errors too: ' +
      '`data` has the `code`, the meter, and `retryAfterSeconds`. Web pages of any origin may call with a ' +
      'bearer token. `/mcp/info` lists the tools and their units. Connectors without ' +
      'an API key sign a person in with OAuth 2.1: the `WWW-Authenticate` header of the 401 response ' +
      'links to the metadata (RFC 9728).',
    auth: 'bearer-or-connector',
    limit: 'mcp',
    body: JsonRpcRequest,
    bodyExamples: {
      list: { summary: 'List the tools', value: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
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
      404: {
        description: 'The method does not exist (revision 2026-07-28 and later)',
        schema: JsonRpcResponse,
        example: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } },
      },
      400: {
        description: 'The message is malformed or violates the protocol',
        schema: JsonRpcResponse,
        example: {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32700, message: 'The body is not valid JSON. It ends too early.' },
        },
      },
    },
    errors: [402, 403],
    async handle(request) {
      const { body, headers, caller, signal } = request;
      refuseRebinding(headers, apiRoot());
      const known = caller as Caller;
      await requireMeteredAccess(known);
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
    failures: { schema: JsonRpcResponse, bodyOf: rpcFailure },
  });
}

/**
 * Refuses pages of a foreign domain that resolves to this server (DNS rebinding), because the browser sees them as
 * the same origin as the endpoint. Pages of other origins follow CORS.
 * @throws ServiceError 403
 */
function refuseRebinding({ origin, host }: IncomingHttpHeaders, apiRoot: string): void {
  if (origin === undefined || !URL.canParse(origin)) return;
  const page = new URL(origin);
  if (page.host !== host || page.host === new URL(apiRoot).host || isLoopback(page)) return;
  throw new ServiceError(
    403,
    'origin_not_allowed',
    `This server isn’t ${page.host}. Call it at ${apiRoot}/mcp.`,
  );
}

const isLoopback = ({ hostname }: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
