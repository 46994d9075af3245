/** The fields of an HTML form. */
import type { IncomingMessage } from 'node:http';
import { badRequest, ServiceError } from '../errors.ts';
import { readAtMost } from './json-body.ts';

const MAX_BYTES = 1024 * 1024;
/** Nobody fills in more; each costs more than its bytes. */
const MAX_FIELDS = 2_000;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i;

/** @throws ServiceError 415 for what is no form, 413 for what is too long, 400 for too many fields */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  if (!FORM_TYPE.test(req.headers['content-type'] ?? '')) {
    throw new ServiceError(
      415,
      'unsupported_media_type',
      'The body must be a form: "Content-Type: application/x-www-form-urlencoded".',
    );
  }
  const text = (await readAtMost(req, MAX_BYTES)).toString('utf8');
  const fields = new URLSearchParams(text);
  if (fields.size > MAX_FIELDS) throw badRequest(`The form has more than ${MAX_FIELDS} fields.`);
  // PostgreSQL takes no text with it.
  if (/%00|\0/.test(text)) throw badRequest('The form holds the character %00.');
  return fields;
}
