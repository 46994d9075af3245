/** A change of the password. */
import type { FormState } from '../../form-state.ts';
import { textField, wholeProblem } from '../../forms.ts';
import { html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { newPasswordField } from '../../sign-in/view.ts';
import { accountPage, type Resident } from '../frame.ts';

export function passwordPage(
  {
    resident,
    email,
    done,
    form,
  }: { resident: Resident; email: string; done: string | null; form: FormState },
  links: Links,
): string {
  const main = html`<p>Changing it signs you out everywhere else.</p>
    ${wholeProblem(form)}
    <form method="post" action="${links.page('/account/password')}">
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
      <button class="button">Change the password</button>
    </form>`;
  return accountPage({ path: '/account/password', done, resident, main }, links);
}
