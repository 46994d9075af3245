import { repeated } from '../../../base/contract/repeated.ts';
import { listUnstorable } from '../../../base/contract/storable-text.ts';
import { badRequest } from '../../../errors.ts';

/** Fields that mostly have one value: of a form, or of a page's query. `getAll` reads lists. */
export class Fields extends URLSearchParams {
  /** @throws ServiceError 400 for a repeated field */
  override get(name: string): string | null {
    const values = this.getAll(name);
    if (values.length > 1) throw badRequest(repeated(name, values.length));
    return values[0] ?? null;
  }

  /** Returns all fields by name. @throws ServiceError 400 for a repeated field */
  toRecord(): Record<string, string> {
    return Object.fromEntries(Array.from(this.keys(), (name) => [name, this.get(name)!]));
  }
}

/** The fields of a form. Files stay bytes, because decoding them would block the process. */
export class FormFields extends Fields {
  /** By field name. If no file was chosen, the file is empty */
  readonly files = new Map<string, Uint8Array>();
}

export const tooManyFields = (limit: number) =>
  badRequest(`The form has more than ${limit.toLocaleString('en')} fields. Send fewer.`);

/** @throws ServiceError 400 that names the fields that the database can't store */
export function refuseUnstorable(fields: URLSearchParams): void {
  const problems = [...fields].flatMap((field) => listUnstorable(Object.fromEntries([field])));
  if (problems.length > 0) throw badRequest(`${problems.join('; ')}.`);
}
