/** Reads the fields of an HTML form. */
import type { IncomingMessage } from 'node:http';
import { FORM, UPLOAD_FIELDS, type FormBounds } from '../../../base/contract/bounds.ts';
import { ServiceError } from '../../../errors.ts';
import { readAtMost } from './body-bytes.ts';
import { FormFields, refuseUnstorable, tooManyFields } from './form-fields.ts';
import { isUpload, readUpload } from './upload-body.ts';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i;

export const isForm = ({ headers }: IncomingMessage) =>
  FORM_TYPE.test(headers['content-type'] ?? '');

/**
 * @param uploadBytes allows file uploads, and limits the size of the form
 * @throws ServiceError 415 if the body isn't a form, 413 if it's too large, 400 if it's damaged or has
 *   too many fields
 */
export async function readForm(req: IncomingMessage, uploadBytes?: number): Promise<FormFields> {
  if (uploadBytes !== undefined && isUpload(req)) {
    return readUpload(req, { bytes: uploadBytes, fields: UPLOAD_FIELDS });
  }
  if (!isForm(req)) {
    throw new ServiceError(
      415,
      'unsupported_media_type',
      'The body must be a form. Send it with "Content-Type: application/x-www-form-urlencoded".',
    );
  }
  const bytes = await readAtMost(req, FORM.bytes);
  refuseExcess(bytes, FORM);
  const fields = new FormFields(bytes.toString('utf8'));
  refuseUnstorable(fields);
  return fields;
}

/** @throws ServiceError 400 for too many fields */
export function refuseExcess(bytes: Buffer, { fields }: FormBounds): void {
  let separators = 0;
  for (let at = bytes.indexOf('&'); at >= 0; at = bytes.indexOf('&', at + 1)) {
    if (++separators >= fields) throw tooManyFields(fields);
  }
}
