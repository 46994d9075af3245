import { passwordLinkPath, type LinkedPerson } from '../../../people/account/password-links.ts';
import type { Session } from '../../../people/account/sessions.ts';
import { entrancePage } from '../entrance/frame.ts';
import { otherPersonNotice } from '../entrance/other-person.ts';
import { newPasswordField } from '../entrance/person-fields.ts';
import type { FormState } from '../form-state.ts';
import { wholeProblem } from '../forms.ts';
import { html } from '../html.ts';
import type { Links } from '../links.ts';

export function passwordLinkPage(
  {
    token,
    person,
    session,
    form,
  }: { token: string; person: LinkedPerson; session: Session | null; form: FormState },
  links: Links,
): string {
  const main = html`<p>For the account of ${person.name} (${person.email}).</p>
    ${otherPersonNotice(session, person.email)} ${wholeProblem(form)}
    <form method="post" action="${links.page(passwordLinkPath(token))}">
      <input name="username" value="${person.email}" autocomplete="username" hidden />
      ${newPasswordField('password', 'New password', form)}
      <button class="button wide-button">Save and sign in</button>
    </form>`;
  return entrancePage({ title: 'Choose a password', main }, links);
}
