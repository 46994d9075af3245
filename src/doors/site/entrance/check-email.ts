/** The page that asks a person to open the link in an email. */
import { MAILED_LINK_HOURS } from '../../../people/account/password-links.ts';
import { SIGN_UP_HOURS } from '../../../people/account/pending-sign-ups.ts';
import { html, type Html } from '../html.ts';
import type { Links } from '../links.ts';
import { pluralize } from '../../../base/text/words.ts';
import { entrancePage } from './frame.ts';

/** The text is the same for known and unknown addresses. */
export function checkEmailPage(about: 'sign-up' | 'password', email: string, links: Links): string {
  const { sent, again } = WORDS[about](email, links);
  const main = html`<p role="status">${sent}</p>
    <p class="quiet">
      No email after a few minutes? Check your spam folder and the address. ${again}
    </p>`;
  return entrancePage({ title: 'Check your email', main }, links);
}

const WORDS = {
  'sign-up': (email: string, links: Links) => ({
    sent: html`We sent an email to <strong>${email}</strong>. Open its link within
      ${pluralize(SIGN_UP_HOURS, 'hour')} to finish.`,
    again: html`You can <a href="${links.page('/signup')}">sign up again</a>.`,
  }),
  password: (email: string, links: Links) => ({
    sent: html`If <strong>${email}</strong> has an account, we sent an email to it. Open its link
      within ${pluralize(MAILED_LINK_HOURS, 'hour')} to choose a new password.`,
    again: html`You can <a href="${links.page('/password/forgot')}">ask for it again</a>.`,
  }),
} satisfies Record<string, (email: string, links: Links) => { sent: Html; again: Html }>;
