/** Reads the fields of an HTML form. */
import type { IncomingMessage } from 'node:http';
import { badRequest, ServiceError } from '../../errors.ts';
import { readUploadedText } from './uploaded-text.ts';
import { readAtMost } from './json-body.ts';

const MAX_BYTES = 1024 * 1024;
/** More than any form of ours has. Each field costs more than its bytes. */
const MAX_FIELDS = 2_000;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i;

const UPLOAD_TYPE = /^multipart\/form-data\s*;\s*boundary=/i;

/**
 * @param uploadBytes allows file uploads, and limits the size of the form. A file's field is its text.
 * @throws ServiceError 415 if the body isn't a form, 413 if it's too large, 400 if it has too many
 *   fields or a file that isn't text
 */
export async function readForm(
  req: IncomingMessage,
  uploadBytes?: number,
): Promise<URLSearchParams> {
  const type = req.headers['content-type'] ?? '';
  const isUpload = uploadBytes !== undefined && UPLOAD_TYPE.test(type);
  if (!isUpload && !FORM_TYPE.test(type)) {
    throw new ServiceError(
      415,
      'unsupported_media_type',
      'The body must be a form. Send it with "Content-Type: application/x-www-form-urlencoded".',
    );
  }
  const bytes = await readAtMost(req, uploadBytes ?? MAX_BYTES);
  // Checked before parsing, which is the expensive part.
  if (occursMoreThan(bytes, isUpload ? `--${boundaryOf(type)}` : '&', MAX_FIELDS + 1)) {
    throw tooManyFields();
  }
  const fields = isUpload
    ? await uploadedFields(bytes, type)
    : new URLSearchParams(bytes.toString('utf8'));
  if (fields.size > MAX_FIELDS) throw tooManyFields();
  // PostgreSQL rejects text with a NUL character.
  for (const field of fields) {
    if (field.join('').includes('\0'))
      throw badRequest('The form contains a NUL character (%00). Remove it.');
  }
  return fields;
}

const tooManyFields = () =>
  badRequest(`The form has more than ${MAX_FIELDS.toLocaleString('en')} fields. Send fewer.`);

const boundaryOf = (type: string) => /boundary="?([^";]+)/i.exec(type)?.[1] ?? '';

function occursMoreThan(bytes: Buffer, text: string, times: number): boolean {
  let found = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) {
    if (++found > times) return true;
  }
  return false;
}

/** Parses multipart/form-data (RFC 7578) with the platform's parser. */
async function uploadedFields(bytes: Buffer, type: string): Promise<URLSearchParams> {
  let sent: FormData;
  try {
    sent = await new Response(new Uint8Array(bytes), {
      headers: { 'Content-Type': type },
    }).formData();
  } catch (cause) {
    throw badRequest('The form is damaged: its parts can’t be separated. Send it again.', {
      cause,
    });
  }
  const fields = new URLSearchParams();
  for (const [name, value] of sent) {
    fields.append(name, typeof value === 'string' ? value : await readUploadedText(value));
  }
  return fields;
}
