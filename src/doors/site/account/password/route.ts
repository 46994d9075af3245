import { rememberBrowser } from '../../../../people/account/known-browsers.ts';
import { isWeakPassword } from '../../../../people/account/password-strength.ts';
import { checkedPassword } from '../../../../people/account/passwords.ts';
import { changePassword, WrongPassword } from '../../../../people/account/sign-in.ts';
import { countConfirmation } from '../../framework/ask-password.ts';
import { checkedFields, showAtField } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import { PASSWORD_PATH, passwordPage } from './view.ts';

export const passwordRoute: Page<'account'> = {
  audience: 'account',
  isOwnSignIn: true,
  path: PASSWORD_PATH,
  show: ({ session, links }, form) => passwordPage(session.person.email, form, links),
  forms: [
    {
      async submit(visit, fields) {
        const { db, cookie, browserCookie, headers, session, place, sendsMail } = visit;
        const { next } = checkedFields({ next: () => checkedPassword(fields.get('next') ?? '') });
        await countConfirmation(visit);
        const current = fields.get('current') ?? '';
        const changed = changePassword(db, session, { current, next }, place, { sendsMail });
        const secret = await showAtField(
          'current',
          (error) => error instanceof WrongPassword,
          showAtField('next', isWeakPassword, changed),
        );
        const browser = await rememberBrowser(db, session.person.id, browserCookie.read(headers));
        const cookies = [cookie.set(secret), browserCookie.set(browser.secret)];
        return { to: PASSWORD_PATH, notice: 'password-changed', cookies };
      },
    },
  ],
};
