import { signUpPath, type OpenSignUp } from '../../../people/account/pending-sign-ups.ts';
import type { Session } from '../../../people/account/sessions.ts';
import { entrancePage } from '../entrance/frame.ts';
import { otherPersonNotice } from '../entrance/other-person.ts';
import type { FormState } from '../form-state.ts';
import { textField, wholeProblem } from '../forms.ts';
import { html } from '../html.ts';
import type { Links } from '../links.ts';

/** Only the form confirms the address, because programs that check the links in emails open this page. */
export function confirmSignUpPage(
  {
    token,
    signUp,
    session,
    form,
  }: { token: string; signUp: OpenSignUp; session: Session | null; form: FormState },
  links: Links,
): string {
  const { email, organization } = signUp;
  const main = html`<p>
      Enter the password that you chose when you signed up with
      ${email}${organization !== null && html` for <strong>${organization}</strong>`}.
    </p>
    ${otherPersonNotice(session, email)} ${wholeProblem(form)}
    <form method="post" action="${links.page(signUpPath(token))}">
      <input name="username" value="${email}" autocomplete="username" hidden />
      ${textField(
        {
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'current-password',
          autofocus: true,
        },
        form,
      )}
      <button class="button wide-button">Confirm and sign in</button>
    </form>
    <p class="actions">
      <span class="quiet">Forgot this password?</span>
      <a href="${links.page('/signup')}">Sign up again</a>
    </p>`;
  return entrancePage({ title: 'Confirm your email address', main }, links);
}
