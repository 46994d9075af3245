/**
 * Calls MCP tools. Uses protocol version 2026-07-28, which has no handshake, so each call is a single HTTP request.
 */
import { SERVICE_VERSION } from '../../../base/contract/version.ts';
import type { ApiCall } from './call.ts';
import type { Answer } from './command.ts';
import { EXIT, exitCodeOfCode, Failure } from './failure.ts';
import { isRecord, parseJson, rawMember } from './json.ts';

const JSON_TYPE = 'application/json';
const PROTOCOL_VERSION = '2026-07-28';
const METHOD = 'tools/call';

export function toolsCall(name: string, input: object): ApiCall {
  // A header contains the name, too, and allows no other characters.
  if (!/^[\w.-]+$/.test(name)) {
    throw new Failure(
      EXIT.usage,
      `"${name}" is not a tool name. List the tools with: territory tools`,
    );
  }
  return {
    path: '/mcp',
    headers: { 'MCP-Protocol-Version': PROTOCOL_VERSION, 'Mcp-Method': METHOD, 'Mcp-Name': name },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: METHOD,
      params: {
        name,
        arguments: input,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
          'io.modelcontextprotocol/clientInfo': { name: 'territory', version: SERVICE_VERSION },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    type: JSON_TYPE,
  };
}

/** The parts of an MCP response that a tool call uses */
interface ToolResponse {
  error?: { message?: unknown };
  result?: {
    isError?: boolean;
    structuredContent?: unknown;
    content?: { type?: string; text?: string; data?: string; mimeType?: string }[];
  };
}

/** Reads the answer of a tool. @throws Failure with the tool's error message */
export function toolAnswer(bytes: Buffer): Answer {
  const { error, result } = (parseJson(bytes, { lines: true }) ?? {}) as ToolResponse;
  if (typeof error?.message === 'string') throw new Failure(EXIT.badRequest, error.message);
  if (!isRecord(result?.structuredContent)) {
    throw new Failure(
      EXIT.other,
      'The response is not from a tool. Check that TERRITORY_URL is the address of the service.',
    );
  }
  const { isError, structuredContent, content = [] } = result;
  const raw = Buffer.from(rawMember(bytes.toString(), ['result', 'structuredContent'])!);
  if (isError) {
    const { code, error: message } = structuredContent;
    throw new Failure(exitCodeOfCode(String(code)), String(message), { code: String(code) });
  }
  const picture = content.find(({ type, data }) => type === 'image' && data !== undefined);
  return {
    ...(picture
      ? { bytes: Buffer.from(picture.data!, 'base64'), type: picture.mimeType!, metadata: raw }
      : { bytes: raw, type: JSON_TYPE }),
    text: content.flatMap(({ text }) => text ?? []).join('\n'),
  };
}
