/** Fields that the forms for adding and removing ZIP codes share. */
import { remark } from '../../../../tools/support/fields.ts';
import { badRequest } from '../../../../../errors.ts';

/**
 * Returns the key that the preview page put into its form, so that submitting it twice makes one change.
 * @throws ServiceError 400 if it is missing
 */
export function readOnceKey(fields: URLSearchParams): string {
  const once = fields.get('once') ?? '';
  if (/^[0-9a-f-]{36}$/.test(once)) return once;
  throw badRequest('The form is incomplete. Go back and preview the change again.');
}

/** @returns undefined for a blank text */
export function checkedRemark(text: string | null): string | undefined {
  const checked = remark.safeParse(text ?? '');
  if (checked.success) return checked.data || undefined;
  throw badRequest('Enter at most 500 characters of readable text.');
}
