import type { FormState } from '../../form-state.ts';
import { textField, wholeProblem } from '../../forms.ts';
import { html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { newPasswordField } from '../../entrance/person-fields.ts';
import type { AccountContent } from '../frame.ts';

export const PASSWORD_PATH = '/account/password';

export function passwordPage(email: string, form: FormState, links: Links): AccountContent {
  const main = html`<p>
      A new password signs you out everywhere else and disconnects your apps. API keys keep working.
    </p>
    ${wholeProblem(form)}
    <form method="post" action="${links.page(PASSWORD_PATH)}">
      <input name="username" value="${email}" autocomplete="username" hidden />
      ${textField(
        {
          name: 'current',
          label: 'Current password',
          type: 'password',
          autocomplete: 'current-password',
        },
        form,
      )}
      ${newPasswordField('next', 'New password', form)}
      <button class="button">Change password</button>
    </form>`;
  return { path: PASSWORD_PATH, main };
}
