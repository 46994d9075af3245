/** The JSON body of a request: read whole, within bounds, or refused with a sentence. */
import type { IncomingMessage } from 'node:http';
import { badRequest, ServiceError } from '../../errors.ts';

const MAX_BYTES = 1024 * 1024;
/** Nothing of ours is nested so deep; what walks over values must not run out of stack. */
const MAX_DEPTH = 32;
/**
 * Our longest lists have 500 ZIPs. To check a megabyte of unknown fields would take more than half a
 * second, in which nobody else is served.
 */
const MAX_COMMAS = 10_000;

/**
 * A client that stalls is cut off by the server's own patience, and ends the reading with an error.
 * @throws ServiceError 415 for what is no JSON, 413 for what is too long, 400 for what is malformed
 */
export async function readJsonBody(req: IncomingMessage): Promise<unknown> {
  refuseOtherTypes(req.headers);
  const bytes = await readAtMost(req, MAX_BYTES);
  if (bytes.length === 0) throw badRequest('The body is empty: it must be JSON.');
  refuseUnwieldy(bytes);
  return parsed(bytes);
}

/** RFC 8259: JSON has no charset but UTF-8, also where one is named. */
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

function refuseOtherTypes(headers: IncomingMessage['headers']): void {
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw notJson('The body must be JSON: send it with "Content-Type: application/json".');
  }
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) {
    throw notJson('The body must not be compressed: send it without Content-Encoding.');
  }
}

const notJson = (message: string) => new ServiceError(415, 'unsupported_media_type', message);

/** What is over the limit is let go by unread, so that the client comes to read the refusal. */
export function readAtMost(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else reject(tooLarge(maxBytes));
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    req.once('error', reject);
    req.once('close', () => reject(badRequest('The body did not arrive whole.')));
  });
}

const tooLarge = (maxBytes: number) =>
  new ServiceError(
    413,
    'content_too_large',
    `The body has more than ${maxBytes.toLocaleString('en')} bytes, the most that is read.`,
  );

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Before it is parsed. No byte of a longer UTF-8 character is one of those that are looked for. */
function refuseUnwieldy(bytes: Buffer): void {
  let depth = 0;
  let commas = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE) inString = !inString;
    else if (inString) {
      if (byte === BACKSLASH) i++;
    } else if (OPENING.has(byte)) {
      if (++depth > MAX_DEPTH) {
        throw badRequest(`The body is nested deeper than ${MAX_DEPTH} lists and objects.`);
      }
    } else if (CLOSING.has(byte)) depth--;
    else if (byte === COMMA && ++commas > MAX_COMMAS) {
      throw badRequest(
        `The body has more than ${MAX_COMMAS.toLocaleString('en')} values: nothing here takes so many.`,
      );
    }
  }
}

function parsed(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw badRequest('The body is not encoded as UTF-8.', { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`The body is no well-formed JSON${whereOf(error as Error)}.`, {
      cause: error,
    });
  }
}

/** The engine's own words would repeat what was sent. */
function whereOf({ message }: Error): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return `: look at its character ${Number(position) + 1}`;
  return message.includes('end of JSON') ? ': it ends too early' : '';
}
