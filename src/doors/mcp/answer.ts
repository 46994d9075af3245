/**
 * Answers one MCP message. Serves both eras of the protocol: since 2026-07-28, every request is self-contained;
 * before, a client starts with `initialize`. Neither has sessions. Each request gets its own server, because a
 * shared one could send a response to the wrong client (CVE-2026-25536).
 */
import type { IncomingHttpHeaders } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
  type Server,
} from '@modelcontextprotocol/server';
import type { CallParts } from '../tools/call-tool.ts';
import type { z } from 'zod';
import type { ServiceError } from '../../errors.ts';
import type { JsonRpcResponse } from './json-rpc.ts';
import { paramsProblem, withoutNulls } from './params.ts';
import { mcpServer } from './server.ts';

interface Message {
  id?: string | number | undefined;
  method: string;
  params?: unknown;
}

interface McpRequest {
  /** One JSON-RPC message */
  message: Message;
  /** Headers of the HTTP request */
  headers: IncomingHttpHeaders;
}

type McpAnswer =
  | { status: 200 | 400 | 404; body: z.output<typeof JsonRpcResponse> }
  | { status: 202; body: '' };

/** @throws ServiceError 402 or 503 if a tool call was refused */
export async function answerMcp(
  { message: sent, headers }: McpRequest,
  parts: CallParts,
): Promise<McpAnswer> {
  const message = withoutNulls(sent) as Message;
  const { id } = message;
  const problem = id === undefined ? undefined : paramsProblem(message);
  if (id !== undefined && problem !== undefined) {
    const error = { code: ProtocolErrorCode.InvalidParams, message: problem };
    return { status: 200, body: { jsonrpc: '2.0', id, error } };
  }
  let refusal: ServiceError | undefined;
  const server = mcpServer(parts, (error) => (refusal = error));
  const response = await responseOf(server, message, webRequest(parts, headers));
  const text = await response.text();
  if (refusal) throw refusal;
  const { status } = response;
  switch (status) {
    case 200:
    case 400:
    case 404:
      return { status, body: JSON.parse(text) as z.output<typeof JsonRpcResponse> };
    case 202:
      return { status, body: '' };
    default:
      throw new Error(`the MCP server answered ${status}: ${text}`);
  }
}

async function responseOf(server: Server, message: Message, request: Request): Promise<Response> {
  if (await isLegacyRequest(request, message)) return legacyResponse(server, message, request);
  // We don't support subscriptions, because our lists change only with a release. The library would open a stream.
  if (message.method === 'subscriptions/listen') return methodNotFound(message.id);
  const handler = createMcpHandler(() => server, { legacy: 'reject' });
  return handler.fetch(request, { parsedBody: message });
}

async function legacyResponse(server: Server, message: Message, request: Request) {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

function methodNotFound(id: string | number | undefined): Response {
  const error = { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' };
  return Response.json({ jsonrpc: '2.0', id: id ?? null, error }, { status: 404 });
}

/**
 * Returns the request for the protocol library. It omits `Host`, because no answer depends on it, and has a fixed
 * `Accept`, because the answer is always one JSON document.
 */
function webRequest(
  { apiRoot, signal }: Pick<CallParts, 'apiRoot' | 'signal'>,
  received: IncomingHttpHeaders,
): Request {
  const headers = new Headers({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  });
  for (const [name, value] of Object.entries(received)) {
    if (name.startsWith('mcp-')) headers.set(name, String(value));
  }
  return new Request(`${apiRoot}/mcp`, { method: 'POST', headers, signal });
}
