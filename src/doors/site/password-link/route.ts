/** Sets a password, with a link from an operator or an email. */
import { openPasswordLink, passwordByLink } from '../../../people/account/password-links.ts';
import { isWeakPassword } from '../../../people/account/password-strength.ts';
import { checkedPassword } from '../../../people/account/passwords.ts';
import { ACCOUNT_HOME, startSessionAt } from '../entrance/start-session.ts';
import { checkedFields, showAtField } from '../framework/form-problems.ts';
import type { Page } from '../framework/page.ts';
import { passwordLinkPage } from './view.ts';

export const passwordLinkRoute: Page<'anyone'> = {
  audience: 'anyone',
  path: '/password/{token}',
  async show({ db, params, links, session }, form) {
    const token = params.token!;
    const person = await openPasswordLink(db, token);
    return passwordLinkPage({ token, person, session, form }, links);
  },
  forms: [
    {
      limit: 'sign-in',
      async submit(visit, fields) {
        const { db, sendsMail } = visit;
        const token = visit.params.token!;
        await openPasswordLink(db, token);
        const { password } = checkedFields({
          password: () => checkedPassword(fields.get('password') ?? ''),
        });
        const chosen = passwordByLink(db, token, password, { sendsMail });
        const personId = await showAtField('password', isWeakPassword, chosen);
        return startSessionAt(visit, personId, { to: ACCOUNT_HOME, notice: 'password-chosen' });
      },
    },
  ],
};
