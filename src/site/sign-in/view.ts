/** Sign-in, sign-up, and what an invitation's link leads to. */
import type { OpenInvitation } from '../../account/invitations.ts';
import { passwordLinkPath, type LinkedPerson } from '../../account/password-links.ts';
import { PASSWORD_LENGTH } from '../../account/passwords.ts';
import type { Session } from '../../account/sessions.ts';
import type { FormState } from '../form-state.ts';
import { textField, wholeProblem } from '../forms.ts';
import { html, type Html } from '../html.ts';
import type { Links } from '../links.ts';
import { entrancePage } from '../account/frame.ts';

export function signInPage(
  { query, form }: { query: URLSearchParams; form: FormState },
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
      <span class="quiet">No account yet?</span>
      <a href="${withNext(links.page('/signup'), next)}">Start a trial</a>
    </p>
    <p class="quiet">
      Password forgotten? Whoever runs this service can send you a link to choose another one.
    </p>`;
  return entrancePage({ title: 'Sign in', done: query.get('done'), main }, links);
}

export function signUpPage(
  { query, form }: { query: URLSearchParams; form: FormState },
  links: Links,
): string {
  const next = nextOf(query, form);
  const main = html`<p class="quiet">
      14 days with all of the service: territories, maps, share links and the API. No card needed.
    </p>
    ${wholeProblem(form)}
    <form method="post" action="${links.page('/signup')}">
      ${nextField(next)}
      ${textField(
        {
          name: 'organization',
          label: 'Organisation',
          autocomplete: 'organization',
          maxlength: 120,
          autofocus: true,
        },
        form,
      )}
      ${newPersonFields(form)}
      <button class="button wide-button">Start the trial</button>
    </form>
    <p class="actions">
      <span class="quiet">You have an account?</span>
      <a href="${withNext(links.page('/login'), next)}">Sign in</a>
    </p>`;
  return entrancePage({ title: 'Start a trial', main }, links);
}

export function invitePage(
  { token, session, form }: { token: string; session: Session | null; form: FormState },
  { organization, role, invitedBy }: OpenInvitation,
  links: Links,
): string {
  const path = `/invite/${encodeURIComponent(token)}`;
  const signIn = `${links.page('/login')}?${new URLSearchParams({ next: path })}`;
  const main = html`<p>
      ${invitedBy} invites you to <strong>${organization.name}</strong> as ${role}.
    </p>
    ${wholeProblem(form)}
    <form method="post" action="${links.page(path)}">
      ${
        session
          ? html`<p>You are signed in as ${session.person.name} (${session.person.email}).</p>`
          : newPersonFields(form)
      }
      <button class="button wide-button">Join</button>
    </form>
    ${
      !session &&
      html`<p class="actions">
        <span class="quiet">You have an account?</span>
        <a href="${signIn}">Sign in with it</a>
      </p>`
    }`;
  return entrancePage({ title: `Join ${organization.name}`, main }, links);
}

export function passwordLinkPage(
  { token, person, form }: { token: string; person: LinkedPerson; form: FormState },
  links: Links,
): string {
  const main = html`<p>For the account of ${person.name} (${person.email}).</p>
    ${wholeProblem(form)}
    <form method="post" action="${links.page(passwordLinkPath(token))}">
      <input name="username" value="${person.email}" autocomplete="username" hidden />
      ${newPasswordField('password', 'New password', form)}
      <button class="button wide-button">Choose it and sign in</button>
    </form>`;
  return entrancePage({ title: 'Choose a password', main }, links);
}

/** Of somebody who is signed in and belongs to no organisation any more. */
export function withoutOrganizationPage(links: Links): string {
  const main = html`<p>
      Your account belongs to no organisation any more. Ask for an invitation, or start a trial with
      another e-mail address.
    </p>
    <form method="post" action="${links.page('/logout')}">
      <button class="button">Sign out</button>
    </form>`;
  return entrancePage({ title: 'No organisation', main }, links);
}

/** Where somebody wanted to go who has to come in first. */
const nextOf = (query: URLSearchParams, form: FormState) =>
  form.value('next', query.get('next') ?? '');

const nextField = (next: string) =>
  next !== '' && html`<input type="hidden" name="next" value="${next}" />`;

const withNext = (page: string, next: string) =>
  next === '' ? page : `${page}?${new URLSearchParams({ next })}`;

const EMAIL = { name: 'email', label: 'E-mail address', type: 'email', maxlength: 254 } as const;

const newPersonFields = (form: FormState): Html =>
  html`${textField({ name: 'name', label: 'Your name', autocomplete: 'name', maxlength: 120 }, form)}
  ${textField({ ...EMAIL, autocomplete: 'username' }, form)}
  ${newPasswordField('password', 'Password', form)}`;

export const newPasswordField = (name: string, label: string, form: FormState): Html =>
  textField(
    {
      name,
      label,
      type: 'password',
      autocomplete: 'new-password',
      minlength: PASSWORD_LENGTH.min,
      hint: `At least ${PASSWORD_LENGTH.min} characters; several words are easy to keep.`,
    },
    form,
  );
