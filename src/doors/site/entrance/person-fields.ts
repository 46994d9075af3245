/** Form fields for a new person, and the checks of their values. */
import { checkedEmail, checkedName } from '../../../people/account/names.ts';
import { isWeakPassword } from '../../../people/account/password-strength.ts';
import { checkedPassword, PASSWORD_LENGTH } from '../../../people/account/passwords.ts';
import type { FormState } from '../form-state.ts';
import { textField } from '../forms.ts';
import { html, type Html } from '../html.ts';
import { isConflict, showAtField } from '../framework/form-problems.ts';

export const EMAIL = {
  name: 'email',
  label: 'Email address',
  type: 'email',
  maxlength: 254,
} as const;

/** @param email initial value */
export const newPersonFields = (form: FormState, email?: string): Html =>
  html`${textField({ name: 'name', label: 'Your name', autocomplete: 'name', maxlength: 120 }, form)}
  ${textField({ ...EMAIL, autocomplete: 'username', ...(email && { value: email }) }, form)}
  ${newPasswordField('password', 'Password', form)}`;

export const newPasswordField = (name: string, label: string, form: FormState): Html =>
  textField(
    {
      name,
      label,
      type: 'password',
      autocomplete: 'new-password',
      minlength: PASSWORD_LENGTH.min,
      hint: `At least ${PASSWORD_LENGTH.min} characters. Several words are easy to remember.`,
    },
    form,
  );

/** Checks for `checkedFields` */
export const personChecks = (fields: URLSearchParams) => {
  const text = (name: string) => fields.get(name) ?? '';
  return {
    name: () => checkedName('A person', text('name')),
    email: () => checkedEmail(text('email')),
    password: () => checkedPassword(text('password')),
  };
};

/** Shows an error about a new person at the field that caused it. */
export const showAtPersonField = <T>(work: Promise<T>): Promise<T> =>
  showAtField('email', isConflict, showAtField('password', isWeakPassword, work));
