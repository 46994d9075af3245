import { checkedPassword } from '../../../account/passwords.ts';
import { changePassword, WrongPassword } from '../../../account/sign-in.ts';
import { checkedFields, showAtField } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import { PASSWORD_PATH, passwordPage } from './view.ts';

export const passwordRoute: Page<'account'> = {
  audience: 'account',
  path: PASSWORD_PATH,
  show: ({ session, links }, form) => passwordPage(session.person.email, form, links),
  forms: [
    {
      limit: 'sign-in',
      async submit({ db, cookie, session, place }, fields) {
        const { next } = checkedFields({
          next: () => checkedPassword(fields.get('next') ?? '', session.person.email),
        });
        const current = fields.get('current') ?? '';
        const changed = changePassword(db, session, { current, next }, place);
        const secret = await showAtField('current', (e) => e instanceof WrongPassword, changed);
        return { to: PASSWORD_PATH, notice: 'password-changed', cookie: cookie.set(secret) };
      },
    },
  ],
};
