/**
 * Reads forms with files (multipart/form-data, RFC 7578). The parser reads each piece as it arrives, so
 * a large body never blocks the process.
 */
import { Busboy } from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';
import type { FormBounds } from '../../../base/contract/bounds.ts';
import { badRequest, type ServiceError } from '../../../errors.ts';
import { bodyTooLarge, incompleteBody, refuseDeclaredLength } from './body-bytes.ts';
import { FormFields, refuseUnstorable, tooManyFields } from './form-fields.ts';

const UPLOAD_TYPE = /^multipart\/form-data\s*;.*boundary=/i;

export const isUpload = ({ headers }: IncomingMessage) =>
  UPLOAD_TYPE.test(headers['content-type'] ?? '');

/** Limits of a part's head, which contains its name and type */
const HEAD_LIMITS = { headerPairs: 20, headerSize: 4 * 1024 };

/**
 * Discards the rest of the body after a problem, so that the client can read the error.
 * @throws ServiceError 413 if the form is too large, 400 if it's damaged or has too many fields
 */
export async function readUpload(
  req: IncomingMessage,
  { bytes: maxBytes, fields: maxFields }: FormBounds,
): Promise<FormFields> {
  refuseDeclaredLength(req, maxBytes);
  const fields = new FormFields();
  return new Promise((resolve, reject) => {
    const fail = (error: ServiceError) => {
      req.unpipe();
      req.resume();
      reject(error);
    };
    const parser = parserOf(req, maxFields);
    if (!parser) return fail(damagedForm());
    let length = 0;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) fail(bodyTooLarge(maxBytes));
    });
    parser.on('file', (name: string | undefined, part, filename: string | undefined) => {
      const chunks: Buffer[] = [];
      part.on('data', (chunk: Buffer) => chunks.push(chunk));
      part.on('error', () => {});
      part.on('end', () => {
        const bytes = Buffer.concat(chunks);
        if (name === undefined) return;
        if (filename !== undefined) fields.files.set(name, bytes);
        else fields.append(name, bytes.toString('utf8'));
      });
    });
    parser.on('partsLimit', () => fail(tooManyFields(maxFields)));
    parser.on('error', (cause) => fail(damagedForm(cause)));
    parser.on('finish', () => {
      try {
        refuseUnstorable(fields);
        resolve(fields);
      } catch (error) {
        reject(error as ServiceError);
      }
    });
    req.once('error', reject);
    req.once('close', () => {
      if (!req.complete) reject(incompleteBody());
    });
    req.pipe(parser);
  });
}

/** @returns undefined if the boundary is missing */
function parserOf(req: IncomingMessage, parts: number) {
  try {
    return new Busboy({
      headers: req.headers as { 'content-type': string },
      limits: { ...HEAD_LIMITS, parts },
      // Otherwise, the parser would collect texts as strings, which is slow.
      isPartAFile: () => true,
    });
  } catch {
    return undefined;
  }
}

const damagedForm = (cause?: unknown) =>
  badRequest('The form is damaged: its parts can’t be separated. Send it again.', { cause });
