import type { Session } from '../../../people/account/sessions.ts';
import { html, type Html } from '../html.ts';

/**
 * Says that a form signs the current person out, because anyone can send a link to such a form.
 * @param session the browser's session, if any
 * @param email address of the person whom the form signs in; null: someone new
 */
export function otherPersonNotice(session: Session | null, email: string | null): Html | null {
  if (!session || session.person.email.toLowerCase() === email?.toLowerCase()) return null;
  const { person } = session;
  return html`<p class="notice">
    You are signed in as ${person.name} (${person.email}). This form signs you out, and signs you in
    as ${email ?? 'the person whom you enter'}.
  </p>`;
}
