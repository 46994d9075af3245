/** `POST /mcp`: who may call, and what is answered in HTTP's words rather than the protocol's. */
import type { Logger } from 'pino';
import { z } from 'zod';
import { requireAccess } from '../account/access.ts';
import type { Caller } from '../account/caller.ts';
import { operation, type Operation } from '../contract/operation.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import type { Renderer } from '../render/renderer.ts';
import { answerMcp } from './answer.ts';

export interface McpParts {
  db: Database;
  renderer: Pick<Renderer, 'render'>;
  log: Logger;
  apiRoot(): string;
  siteRoot(): string;
}

const Id = z.union([z.string(), z.int()]);

/** One message; a notification has no id. */
const JsonRpcRequest = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: Id.optional(),
    method: z
      .string()
      .meta({ description: '`tools/list`, `tools/call` and others of the protocol' }),
    params: z.looseObject({}).optional(),
  })
  .meta({ id: 'JsonRpcRequest' });

const JsonRpcResponse = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: Id.nullable(),
    result: z.looseObject({}).optional(),
    error: z
      .object({ code: z.int(), message: z.string(), data: z.unknown().optional() })
      .optional(),
  })
  .meta({ id: 'JsonRpcResponse' });

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

const rpcError = (code: number, message: string) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code, message },
});

export function mcpOperation({ db, renderer, log, apiRoot, siteRoot }: McpParts): Operation {
  return operation({
    id: 'postMcp',
    method: 'post',
    path: '/mcp',
    tag: 'Agents',
    summary: 'The MCP server',
    description:
      'Model Context Protocol over stateless Streamable HTTP: one JSON-RPC message a request, of the ' +
      'revision 2026-07-28 or of those from 2024-11-05 to 2025-11-25. `tools/list` describes the ' +
      'tools, `tools/call` calls one. What is wrong with a call is told in its result (`isError`, ' +
      'with `code` and `error` in `structuredContent`); what is wrong with a message is an error of ' +
      'JSON-RPC. `/mcp/info` lists the tools with their units. Connectors that hold no key sign a person ' +
      'in (OAuth 2.1): the 401 names the document by which they find how (RFC 9728).',
    auth: 'bearer-or-connector',
    limit: 'mcp',
    body: JsonRpcRequest,
    bodyExamples: {
      list: {
        summary: 'The tools',
        value: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      },
      call: {
        summary: 'The ten best ZIPs of a metro',
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
      200: { description: 'The answer', schema: JsonRpcResponse, example },
      202: { description: 'A notification was taken', empty: true },
      400: {
        description: 'The message cannot be read, or departs from the protocol',
        schema: JsonRpcResponse,
        example: rpcError(-32700, 'The body is no well-formed JSON.'),
      },
      404: {
        description: 'The protocol, from 2026-07-28, has no such method',
        schema: JsonRpcResponse,
        example: { ...rpcError(-32601, 'Method not found'), id: 1 },
      },
    },
    errors: [402, 403],
    async handle({ body, headers, caller, signal }) {
      refuseForeignPages(headers.origin, apiRoot());
      const known = caller as Caller;
      requireAccess(known);
      return answerMcp(
        { message: body, headers },
        {
          db,
          renderer,
          caller: known,
          apiRoot: apiRoot(),
          siteRoot: siteRoot(),
          signal,
          report: (error) => log.error({ err: error }, 'a tool failed'),
        },
      );
    },
    malformed: ({ error, isJson }) => ({
      status: 400,
      body: rpcError(isJson ? -32600 : -32700, error.message),
    }),
  });
}

/**
 * A page that a person happens to have open must not call in their name. Programs send no Origin.
 * @throws ServiceError 403
 */
function refuseForeignPages(origin: string | undefined, apiRoot: string): void {
  if (origin === undefined || origin === new URL(apiRoot).origin) return;
  throw new ServiceError(
    403,
    'origin_not_allowed',
    'Pages of other origins may not call this. Call it from a program, without the Origin header.',
  );
}
