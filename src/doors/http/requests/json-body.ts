/** Reads JSON bodies within limits. */
import type { IncomingMessage } from 'node:http';
import { JSON_BODY } from '../../../base/contract/bounds.ts';
import { excessOf, type JsonBounds } from '../../../base/spatial/json-bounds.ts';
import { badRequest, ServiceError } from '../../../errors.ts';
import { readAtMost } from './body-bytes.ts';

/**
 * @throws ServiceError 415 if the body isn't JSON, 413 if it's too large, 400 if it's malformed
 */
export async function readJsonBody(
  req: IncomingMessage,
  bounds: JsonBounds = JSON_BODY,
): Promise<unknown> {
  refuseOtherTypes(req.headers);
  const bytes = await readAtMost(req, bounds.bytes);
  if (bytes.length === 0) throw badRequest('The body is empty. Send a JSON body.');
  const excess = excessOf(bytes, bounds);
  if (excess !== null) throw badRequest(`The body ${excess}`);
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

/** Describes the position of the error. The engine's own message would repeat the content of the body. */
function locate({ message }: Error, text: string): string {
  const position = Number(/at position (\d+)/.exec(message)?.[1] ?? NaN);
  if (position >= text.length || message.includes('end of JSON')) return 'It ends too early.';
  return position >= 0 ? `Check it near character ${position + 1}.` : 'Check its syntax.';
}
