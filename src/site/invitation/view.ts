import { invitationPath, type OpenInvitation } from '../../account/invitations.ts';
import type { Session } from '../../account/sessions.ts';
import { entrancePage } from '../entrance/frame.ts';
import { newPersonFields } from '../entrance/person-fields.ts';
import type { FormState } from '../form-state.ts';
import { wholeProblem } from '../forms.ts';
import { html } from '../html.ts';
import type { Links } from '../links.ts';
import { withArticle } from '../../text/words.ts';

export function invitationPage(
  { token, session, form }: { token: string; session: Session | null; form: FormState },
  { organization, role, invitedBy, mailedTo }: OpenInvitation,
  links: Links,
): string {
  const path = invitationPath(token);
  const signIn = `${links.page('/login')}?${new URLSearchParams({ next: path })}`;
  const asRole = `as ${withArticle(role)}`;
  const main = html`<p>
      ${invitedBy} invited you to join <strong>${organization.name}</strong> ${asRole}.
    </p>
    ${wholeProblem(form)}
    <form method="post" action="${links.page(path)}">
      ${
        session
          ? html`<p>You are signed in as ${session.person.name} (${session.person.email}).</p>`
          : newPersonFields(form, mailedTo ?? undefined)
      }
      <button class="button wide-button">Join</button>
    </form>
    ${
      !session &&
      html`<p class="actions">
        <span class="quiet">Already have an account?</span>
        <a href="${signIn}">Sign in to join</a>
      </p>`
    }`;
  return entrancePage({ title: `Join ${organization.name}`, main }, links);
}
