import { scopeText } from '../../../people/account/brand-scopes.ts';
import { invitationPath, type OpenInvitation } from '../../../people/account/invitations.ts';
import type { Session } from '../../../people/account/sessions.ts';
import { entrancePage } from '../entrance/frame.ts';
import { otherPersonNotice } from '../entrance/other-person.ts';
import { newPersonFields } from '../entrance/person-fields.ts';
import type { FormState } from '../form-state.ts';
import { wholeProblem } from '../forms.ts';
import { html, type Html } from '../html.ts';
import type { Links } from '../links.ts';
import { companySignInPath } from '../../../people/account/company-sign-in/addresses.ts';
import { withArticle } from '../../../base/text/words.ts';

interface InvitationContent {
  token: string;
  session: Session | null;
  /** A session that the form replaces */
  other: Session | null;
  form: FormState;
  /** Set if the organization has company sign-in, and whether it is the only way in */
  atCompany: { isRequired: boolean } | null;
}

export function invitationPage(
  { token, session, other, form, atCompany }: InvitationContent,
  { organization, role, brands, invitedBy, mailedTo }: OpenInvitation,
  links: Links,
): string {
  const path = invitationPath(token);
  const signIn = `${links.page('/login')}?${new URLSearchParams({ next: path })}`;
  const asRole = `as ${withArticle(role)}${brands ? `, for ${scopeText(brands)}` : ''}`;
  const main = html`<p>
      ${invitedBy} invited you to join <strong>${organization.name}</strong> ${asRole}.
    </p>
    ${wholeProblem(form)}
    ${
      atCompany &&
      html`<p class="actions">
        <a
          class="button wide-button"
          href="${links.page(companySignInPath(organization.id, { invitation: token }))}"
          >Join with your company account</a
        >
      </p>`
    }
    ${!atCompany?.isRequired && joinForm({ session, other, form, mailedTo }, links.page(path), signIn)}`;
  return entrancePage({ title: `Join ${organization.name}`, main }, links);
}

function joinForm(
  {
    session,
    other,
    form,
    mailedTo,
  }: Pick<InvitationContent, 'session' | 'other' | 'form'> & Pick<OpenInvitation, 'mailedTo'>,
  action: string,
  signIn: string,
): Html {
  return html`<form method="post" action="${action}">
      ${
        session
          ? html`<p>You are signed in as ${session.person.name} (${session.person.email}).</p>`
          : html`${otherPersonNotice(other, mailedTo)}
            ${newPersonFields(form, mailedTo ?? undefined)}`
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
}
