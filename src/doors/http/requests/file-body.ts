/** Reads a body that is a file, piece by piece, so that a large file never is in memory as a whole. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../../errors.ts';
import { allowLongArrival } from './arrival.ts';
import { bodyTooLarge, incompleteBody, refuseDeclaredLength } from './body-bytes.ts';

/**
 * Returns the pieces, which arrive as fast as they are read. The client sends no faster than that.
 * @throws ServiceError 413 if the file is too large, 415 if it's compressed or a form, 400 if the client disconnects
 */
export function readFileBody(req: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  // At once, because the reading may wait for other files.
  allowLongArrival(req);
  return piecesOf(req, maxBytes);
}

async function* piecesOf(req: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  refuseOtherBodies(req);
  refuseDeclaredLength(req, maxBytes);
  let length = 0;
  try {
    // The connection stays open, so that the client can read an error before it has sent everything.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw bodyTooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : incompleteBody();
  } finally {
    // Discards the rest, because the next request on the connection comes after it.
    req.resume();
  }
  if (!req.complete) throw incompleteBody();
}

function refuseOtherBodies({ headers }: IncomingMessage): void {
  if (/^(multipart\/|application\/x-www-form-urlencoded)/i.test(headers['content-type'] ?? '')) {
    throw otherBody('The body must be the file itself, not a form. Send its bytes.');
  }
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) {
    throw otherBody('Compressed bodies aren’t supported. Send the file without Content-Encoding.');
  }
}

const otherBody = (message: string) => new ServiceError(415, 'unsupported_media_type', message);
