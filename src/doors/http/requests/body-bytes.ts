/** Reads the bytes of a body within a limit. The server's timeouts stop reading a stalled body. */
import type { IncomingMessage } from 'node:http';
import { tooLarge } from '../../../base/spatial/json-bounds.ts';
import { badRequest, ServiceError } from '../../../errors.ts';

/**
 * Discards bytes over the limit instead of closing the connection, so that the client can read the
 * error.
 * @throws ServiceError 413 over the limit, 400 if the client disconnects
 */
export function readAtMost(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  refuseDeclaredLength(req, maxBytes);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else reject(bodyTooLarge(maxBytes));
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    req.once('error', reject);
    req.once('close', () => reject(incompleteBody()));
  });
}

/** @throws ServiceError 413 if the declared length exceeds the limit */
export function refuseDeclaredLength({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
}

export const bodyTooLarge = (maxBytes: number) =>
  new ServiceError(413, 'content_too_large', `The body ${tooLarge(maxBytes)} Split the request.`);

export const incompleteBody = () => badRequest('The body is incomplete. Send the request again.');
