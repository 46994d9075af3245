/** The fields of an HTML form. */
import type { IncomingMessage } from 'node:http';
import { badRequest, ServiceError } from '../../errors.ts';
import { readUploadedText } from './uploaded-text.ts';
import { readAtMost } from './json-body.ts';

const MAX_BYTES = 1024 * 1024;
/** Nobody fills in more; each costs more than its bytes. */
const MAX_FIELDS = 2_000;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i;

const UPLOAD_TYPE = /^multipart\/form-data\s*;\s*boundary=/i;

/**
 * @param uploadBytes where files may be among the fields: the most bytes of all of them. A file's
 *   field is its text.
 * @throws ServiceError 415 for what is no form, 413 for what is too long, 400 for too many fields
 *   and for a file that is no text
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
      'The body must be a form: "Content-Type: application/x-www-form-urlencoded".',
    );
  }
  const bytes = await readAtMost(req, uploadBytes ?? MAX_BYTES);
  // Before they are told apart, which costs most.
  if (occursOftener(bytes, isUpload ? `--${boundaryOf(type)}` : '&', MAX_FIELDS + 1)) {
    throw badRequest(`The form has more than ${MAX_FIELDS} fields.`);
  }
  const fields = isUpload
    ? await uploadedFields(bytes, type)
    : new URLSearchParams(bytes.toString('utf8'));
  if (fields.size > MAX_FIELDS) throw badRequest(`The form has more than ${MAX_FIELDS} fields.`);
  // PostgreSQL takes no text with it.
  for (const field of fields) {
    if (field.join('').includes('\0')) throw badRequest('The form holds the character %00.');
  }
  return fields;
}

const boundaryOf = (type: string) => /boundary="?([^";]+)/i.exec(type)?.[1] ?? '';

function occursOftener(bytes: Buffer, text: string, times: number): boolean {
  let found = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) {
    if (++found > times) return true;
  }
  return false;
}

/** RFC 7578, as the platform's own parser reads it. */
async function uploadedFields(bytes: Buffer, type: string): Promise<URLSearchParams> {
  let sent: FormData;
  try {
    sent = await new Response(new Uint8Array(bytes), {
      headers: { 'Content-Type': type },
    }).formData();
  } catch (cause) {
    throw badRequest('The form is damaged: its parts cannot be told apart.', { cause });
  }
  const fields = new URLSearchParams();
  for (const [name, value] of sent) {
    fields.append(name, typeof value === 'string' ? value : await readUploadedText(value));
  }
  return fields;
}
