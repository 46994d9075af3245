import { entrancePage } from '../entrance/frame.ts';
import { nextField, nextOf, withNext } from '../entrance/next.ts';
import { EMAIL } from '../entrance/person-fields.ts';
import type { FormState } from '../form-state.ts';
import { textField, wholeProblem } from '../forms.ts';
import { html, type Html } from '../html.ts';
import type { Links } from '../links.ts';
import { PASSKEY_SIGN_IN_PATH } from './passkey/view.ts';

interface SignInContent {
  query: URLSearchParams;
  form: FormState;
  sendsMail: boolean;
  /** Default: the email address only, unless the visitor chose or tried a password */
  asks?: 'password';
}

export function signInPage(content: SignInContent, links: Links): string {
  const { query, form } = content;
  const asksPassword =
    content.asks !== undefined || form.fields.has('password') || query.get('with') === 'password';
  const next = nextOf(query, form);
  const main = html`${wholeProblem(form)}
    <form method="post" action="${links.page('/login')}">
      ${nextField(next)}
      ${textField(
        { ...EMAIL, autocomplete: 'username', autofocus: form.value('email') === '' },
        form,
      )}
      ${asksPassword && passwordField(form)}
      <button class="button wide-button">${asksPassword ? 'Sign in' : 'Continue'}</button>
    </form>
    <p class="actions">
      <a href="${withNext(links.page(PASSKEY_SIGN_IN_PATH), next)}">Sign in with a passkey</a>
      ${
        !asksPassword &&
        html`<a href="${withPassword(links.page('/login'), next)}">Sign in with a password</a>`
      }
    </p>
    <p class="actions">
      <span class="quiet">No account yet?</span>
      <a href="${withNext(links.page('/signup'), next)}">Start a trial</a>
    </p>
    ${asksPassword && forgotten(content, links)}`;
  return entrancePage({ title: 'Sign in', done: query.get('done'), main }, links);
}

const passwordField = (form: FormState): Html =>
  textField(
    {
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'current-password',
      autofocus: form.value('email') !== '',
    },
    form,
  );

/** Shows the password field at once, for people who don't use the company sign-in of their domain. */
const withPassword = (page: string, next: string) =>
  `${page}?${new URLSearchParams({ with: 'password', ...(next !== '' && { next }) })}`;

const forgotten = ({ sendsMail }: SignInContent, links: Links): Html =>
  sendsMail
    ? html`<p class="actions">
        <a href="${links.page('/password/forgot')}">Forgot your password?</a>
      </p>`
    : html`<p class="quiet">
        Forgot your password? Ask the operator of this service for a link to choose a new one.
      </p>`;
