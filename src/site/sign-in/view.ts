import { entrancePage } from '../entrance/frame.ts';
import { nextField, nextOf, withNext } from '../entrance/next.ts';
import { EMAIL } from '../entrance/person-fields.ts';
import type { FormState } from '../form-state.ts';
import { textField, wholeProblem } from '../forms.ts';
import { html } from '../html.ts';
import type { Links } from '../links.ts';
import { PASSKEY_SIGN_IN_PATH } from './passkey/view.ts';

export function signInPage(
  { query, form, sendsMail }: { query: URLSearchParams; form: FormState; sendsMail: boolean },
  links: Links,
): string {
  const next = nextOf(query, form);
  const main = html`${wholeProblem(form)}
    <form method="post" action="${links.page('/login')}">
      ${nextField(next)} ${textField({ ...EMAIL, autocomplete: 'username', autofocus: true }, form)}
      ${textField(
        {
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'current-password',
        },
        form,
      )}
      <button class="button wide-button">Sign in</button>
    </form>
    <p class="actions">
      <a href="${withNext(links.page(PASSKEY_SIGN_IN_PATH), next)}">Sign in with a passkey</a>
    </p>
    <p class="actions">
      <span class="quiet">No account yet?</span>
      <a href="${withNext(links.page('/signup'), next)}">Start a trial</a>
    </p>
    ${
      sendsMail
        ? html`<p class="actions">
            <a href="${links.page('/password/forgot')}">Forgot your password?</a>
          </p>`
        : html`<p class="quiet">
            Forgot your password? Ask the operator of this service for a link to choose a new one.
          </p>`
    }`;
  return entrancePage({ title: 'Sign in', done: query.get('done'), main }, links);
}
