/** Requests an email with a link for setting a new password. */
import { checkedEmail } from '../../../people/account/names.ts';
import { requestPasswordLink } from '../../../people/account/password-links.ts';
import { notFound } from '../../../errors.ts';
import { checkEmailPage } from '../entrance/check-email.ts';
import { checkedFields } from '../framework/form-problems.ts';
import type { Page } from '../framework/page.ts';
import type { Visit } from '../framework/visit.ts';
import { FORGOT_PASSWORD_PATH, forgotPasswordPage } from './view.ts';

export const forgotPasswordRoute: Page<'anyone'> = {
  audience: 'anyone',
  path: FORGOT_PASSWORD_PATH,
  show(visit, form) {
    requireMail(visit);
    return forgotPasswordPage(form, visit.links);
  },
  forms: [
    {
      limit: 'sign-in',
      async submit(visit, fields) {
        requireMail(visit);
        const { email } = checkedFields({ email: () => checkedEmail(fields.get('email') ?? '') });
        await requestPasswordLink(visit.db, email);
        return { page: checkEmailPage('password', email, visit.links) };
      },
    },
  ],
};

function requireMail({ sendsMail }: Visit): void {
  if (sendsMail) return;
  throw notFound(
    'This service sends no email. Ask its operator for a link to choose a new password.',
  );
}
