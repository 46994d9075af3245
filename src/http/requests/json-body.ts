/** Reads JSON bodies within limits. */
import type { IncomingMessage } from 'node:http';
import { badRequest, ServiceError } from '../../errors.ts';

const MAX_BYTES = 1024 * 1024;
/** Deeper than any body of ours. Recursive code must not overflow the stack. */
const MAX_DEPTH = 32;
/**
 * Our longest lists have 500 ZIP codes. Checking a megabyte of unknown fields would block the process
 * for more than half a second.
 */
const MAX_COMMAS = 10_000;

/**
 * The server's timeouts end the reading of a stalled body.
 * @throws ServiceError 415 if the body isn't JSON, 413 if it's too large, 400 if it's malformed
 */
export async function readJsonBody(req: IncomingMessage): Promise<unknown> {
  refuseOtherTypes(req.headers);
  const bytes = await readAtMost(req, MAX_BYTES);
  if (bytes.length === 0) throw badRequest('The body is empty. Send a JSON body.');
  refuseComplexBodies(bytes);
  return parse(bytes);
}

/** JSON is always UTF-8 (RFC 8259); naming it as the charset is allowed. */
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

function refuseOtherTypes(headers: IncomingMessage['headers']): void {
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw notJson('The body must be JSON. Send it with "Content-Type: application/json".');
  }
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) {
    throw notJson('Compressed bodies aren’t supported. Send the body without Content-Encoding.');
  }
}

const notJson = (message: string) => new ServiceError(415, 'unsupported_media_type', message);

/** Discards bytes over the limit instead of closing the connection, so that the client can read the error. */
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
    req.once('close', () => reject(badRequest('The body is incomplete. Send the request again.')));
  });
}

const tooLarge = (maxBytes: number) =>
  new ServiceError(
    413,
    'content_too_large',
    `The body exceeds the limit of ${maxBytes.toLocaleString('en')} bytes.`,
  );

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Scans bytes before parsing. None of these ASCII bytes occurs inside a multibyte UTF-8 character. */
function refuseComplexBodies(bytes: Buffer): void {
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
        throw badRequest(`The body is nested too deeply. The limit is ${MAX_DEPTH} levels.`);
      }
    } else if (CLOSING.has(byte)) depth--;
    else if (byte === COMMA && ++commas > MAX_COMMAS) {
      throw badRequest(
        `The body has too many values. The limit is ${MAX_COMMAS.toLocaleString('en')}.`,
      );
    }
  }
}

function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw badRequest('The body is not valid UTF-8. Encode it as UTF-8.', { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`The body is not valid JSON. ${locate(error as Error, text)}`, {
      cause: error,
    });
  }
}

/** Says where to look. The engine's own message would repeat the content of the body. */
function locate({ message }: Error, text: string): string {
  const position = Number(/at position (\d+)/.exec(message)?.[1] ?? NaN);
  if (position >= text.length || message.includes('end of JSON')) return 'It ends too early.';
  return position >= 0 ? `Check it near character ${position + 1}.` : 'Check its syntax.';
}
