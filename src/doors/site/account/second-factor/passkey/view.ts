/** Adds a passkey. */
import type { FormState } from '../../../form-state.ts';
import { textField, wholeProblem } from '../../../forms.ts';
import { html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { PASSKEY_SCRIPT, passkeyForm } from '../../../passkey-button.ts';
import type { AccountContent } from '../../frame.ts';
import { SECOND_FACTOR_PATH } from '../../navigation.ts';
import { PASSKEY_PATH } from '../view.ts';

/** @param options the browser's options for creating the passkey */
export function passkeyPage(options: object, form: FormState, links: Links): AccountContent {
  const name = textField(
    {
      name: 'name',
      label: 'Name',
      hint: 'The device or password manager that will keep it, such as “Work laptop”.',
      maxlength: 120,
      autocomplete: 'off',
    },
    form,
  );
  const button = {
    action: links.page(PASSKEY_PATH),
    ceremony: 'create',
    options,
    label: 'Create the passkey',
    fields: name,
  } as const;
  const main = html`${wholeProblem(form)}
    <p>Your browser will ask for your fingerprint, your face, or the PIN of your device.</p>
    ${passkeyForm(button, links)}
    <p class="actions"><a href="${links.page(SECOND_FACTOR_PATH)}">Cancel</a></p>`;
  return { path: SECOND_FACTOR_PATH, title: 'Add a passkey', assets: [PASSKEY_SCRIPT], main };
}
