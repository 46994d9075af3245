import { badRequest } from '../../errors.ts';

/** The fields of a form. Files stay bytes, because decoding them would block the process. */
export class FormFields extends URLSearchParams {
  /** By field name. If no file was chosen, the file is empty */
  readonly files = new Map<string, Uint8Array>();
}

export const tooManyFields = (limit: number) =>
  badRequest(`The form has more than ${limit.toLocaleString('en')} fields. Send fewer.`);

/** PostgreSQL rejects text with a NUL character. */
export const containsNul = () => badRequest('The form contains a NUL character (%00). Remove it.');
