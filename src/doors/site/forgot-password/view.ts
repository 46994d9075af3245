import { entrancePage } from '../entrance/frame.ts';
import { EMAIL } from '../entrance/person-fields.ts';
import type { FormState } from '../form-state.ts';
import { textField, wholeProblem } from '../forms.ts';
import { html } from '../html.ts';
import type { Links } from '../links.ts';

export const FORGOT_PASSWORD_PATH = '/password/forgot';

export function forgotPasswordPage(form: FormState, links: Links): string {
  const main = html`<p>
      Enter the email address of your account. We send you a link to choose a new password.
    </p>
    ${wholeProblem(form)}
    <form method="post" action="${links.page(FORGOT_PASSWORD_PATH)}">
      ${textField({ ...EMAIL, autocomplete: 'username', autofocus: true }, form)}
      <button class="button wide-button">Send link</button>
    </form>
    <p class="actions"><a href="${links.page('/login')}">Back to sign-in</a></p>`;
  return entrancePage({ title: 'Forgot your password?', main }, links);
}
