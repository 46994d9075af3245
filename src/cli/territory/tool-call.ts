/**
 * Calls of the MCP tools. Of the protocol's two eras this speaks the later one, 2026-07-28: it has
 * no handshake, so that a call is one request, complete in itself.
 */
import { z } from 'zod';
import { SERVICE_VERSION } from '../../contract/version.ts';
import type { ApiCall } from './call.ts';
import type { Answer, Ask, Reading, Task } from './command.ts';
import { EXIT, exitCodeOfCode, Failure } from './failure.ts';
import { parseJson, rawMember } from './json.ts';

export type ToolInput = Record<string, unknown>;

/** @param text of what the tool answers; left out: its own words are shown */
export const toolCall = (name: string, input: ToolInput, text?: Reading): Task => ({
  type: JSON_TYPE,
  needsKey: true,
  perform: (ask) => callTool(ask, name, input),
  ...(text && { text }),
});

/** @throws Failure in the service's words, unless all that is missing is a confirmation */
export async function callTool(ask: Ask, name: string, input: ToolInput): Promise<Answer> {
  return answerOf(await ask(toolsCall(name, input)));
}

const JSON_TYPE = 'application/json';
const PROTOCOL_VERSION = '2026-07-28';
const METHOD = 'tools/call';

function toolsCall(name: string, input: ToolInput): ApiCall {
  // It goes into a header, too, which takes no other letters.
  if (!/^[\w.-]+$/.test(name)) {
    throw new Failure(EXIT.usage, `"${name}" is no name of a tool. territory tools lists them.`);
  }
  return {
    path: '/mcp',
    headers: {
      'MCP-Protocol-Version': PROTOCOL_VERSION,
      'Mcp-Method': METHOD,
      'Mcp-Name': name,
    },
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

const Content = z.object({
  type: z.string(),
  text: z.string().optional(),
  data: z.string().optional(),
  mimeType: z.string().optional(),
});

/** As much of the protocol as a call of a tool meets. */
const Message = z.union([
  z.object({ error: z.object({ message: z.string() }) }),
  z.object({
    result: z.object({
      isError: z.boolean().default(false),
      structuredContent: z.record(z.string(), z.unknown()),
      content: z.array(Content).default([]),
    }),
  }),
]);

function answerOf(bytes: Buffer): Answer {
  const message = Message.safeParse(parseJson(bytes, { lines: true })).data;
  if (!message) {
    throw new Failure(
      EXIT.other,
      'The answer is none of a tool. Does TERRITORY_URL name the service?',
    );
  }
  if ('error' in message) throw new Failure(EXIT.badRequest, message.error.message);
  const { isError, structuredContent, content } = message.result;
  const raw = Buffer.from(rawMember(bytes.toString(), ['result', 'structuredContent'])!);
  const texts = content.flatMap(({ text }) => text ?? []);
  if (isError) return refusal(raw, structuredContent);

  const picture = content.find(({ type, data }) => type === 'image' && data !== undefined);
  return {
    ...(picture
      ? { bytes: Buffer.from(picture.data!, 'base64'), type: picture.mimeType!, about: raw }
      : { bytes: raw, type: JSON_TYPE }),
    words: texts.join('\n'),
  };
}

/** A preview was asked for as much as a change, and is shown; whatever else went wrong is told. */
function refusal(raw: Buffer, told: Record<string, unknown>): Answer {
  const exitCode = exitCodeOfCode(String(told.code));
  if (exitCode !== EXIT.unconfirmed) throw new Failure(exitCode, String(told.error));
  const failure = new Failure(exitCode, 'Nothing was changed: changes are made with --confirm.');
  return { bytes: raw, type: JSON_TYPE, failure };
}
