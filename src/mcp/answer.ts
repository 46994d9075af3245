/**
 * Answers one MCP message by the protocol's own rules, whichever of its two eras it is of: 2026-07-28
 * and later, where each request says for itself what it needs, or that of 2025, which began with
 * `initialize`. Both are served without a session, by a server of the request's own: one that is
 * shared could send an answer to the wrong client (CVE-2026-25536).
 */
import type { IncomingHttpHeaders } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
  type Server,
} from '@modelcontextprotocol/server';
import type { CallParts } from '../agent/call-tool.ts';
import type { ServiceError } from '../errors.ts';
import { mcpServer } from './server.ts';

export interface McpRequest {
  /** One JSON-RPC message */
  message: { id?: string | number | undefined; method: string };
  /** Of the HTTP request */
  headers: IncomingHttpHeaders;
}

/** @throws ServiceError for a call that was not served: 402, 503 */
export async function answerMcp({ message, headers }: McpRequest, parts: CallParts) {
  let refusal: ServiceError | undefined;
  const server = mcpServer(parts, (error) => (refusal = error));
  const response = await responseOf(server, message, webRequest(parts, headers));
  const text = await response.text();
  if (refusal) throw refusal;
  if (response.status >= 500) throw new Error(`the MCP server failed: ${text}`);
  // A notification has no answer.
  return { status: response.status, body: text === '' ? '' : (JSON.parse(text) as unknown) };
}

async function responseOf(
  server: Server,
  message: McpRequest['message'],
  request: Request,
): Promise<Response> {
  if (await isLegacyRequest(request, message)) return legacyResponse(server, message, request);
  // There is nothing here that changes while one listens; the library would open a stream.
  if (message.method === 'subscriptions/listen') return methodNotFound(message.id);
  const handler = createMcpHandler(() => server, { legacy: 'reject' });
  return handler.fetch(request, { parsedBody: message });
}

async function legacyResponse(server: Server, message: McpRequest['message'], request: Request) {
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
 * What the protocol reads of a request. Its Host is not among it: nothing here depends on how the
 * client calls us. Nor is Accept: an answer is always one JSON document.
 */
function webRequest(
  { apiRoot, signal }: Pick<CallParts, 'apiRoot' | 'signal'>,
  given: IncomingHttpHeaders,
): Request {
  const headers = new Headers({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  });
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith('mcp-')) headers.set(name, String(value));
  }
  return new Request(`${apiRoot}/mcp`, { method: 'POST', headers, signal });
}
