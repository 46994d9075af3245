import { entrancePage } from '../../entrance/frame.ts';
import { nextField, nextOf, withNext } from '../../entrance/next.ts';
import type { FormState } from '../../form-state.ts';
import { wholeProblem } from '../../forms.ts';
import { html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { PASSKEY_SCRIPT, passkeyForm } from '../../passkey-button.ts';

export const PASSKEY_SIGN_IN_PATH = '/login/passkey';

export function passkeySignInPage(
  { query, form, options }: { query: URLSearchParams; form: FormState; options: object },
  links: Links,
): string {
  const next = nextOf(query, form);
  const button = {
    action: links.page(PASSKEY_SIGN_IN_PATH),
    ceremony: 'use',
    options,
    label: 'Use a passkey',
    fields: nextField(next),
  } as const;
  const main = html`<p>
      A passkey is in your phone, computer, or security key. It replaces password and second factor.
    </p>
    ${wholeProblem(form)} ${passkeyForm(button, links)}
    <p class="actions">
      <a href="${withNext(links.page('/login'), next)}">Sign in with a password</a>
    </p>`;
  return entrancePage({ title: 'Sign in with a passkey', assets: [PASSKEY_SCRIPT], main }, links);
}
