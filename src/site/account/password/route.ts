import { checkedPassword } from '../../../account/passwords.ts';
import { changePassword, WrongPassword } from '../../../account/sign-in.ts';
import type { Operation } from '../../../contract/operation.ts';
import { form } from '../../framework/form.ts';
import { checkedFields, showAtField } from '../../framework/form-problems.ts';
import { page, type Page } from '../../framework/page.ts';
import type { SiteParts } from '../../framework/visit.ts';
import { loadFrame } from '../load-frame.ts';
import { PASSWORD_PATH, passwordPage } from './view.ts';

export function passwordRoutes(parts: SiteParts): Operation[] {
  const { db, cookie } = parts;
  const password: Page<'member'> = {
    audience: 'member',
    path: PASSWORD_PATH,
    async show(visit, state) {
      const { email } = visit.session.person;
      return passwordPage({ ...(await loadFrame(db, visit)), email, form: state }, visit.links);
    },
  };
  const change = form(
    password,
    {
      limit: 'sign-in',
      async submit({ session, place }, fields) {
        const { next } = checkedFields({
          next: () => checkedPassword(fields.get('next') ?? '', session.person.email),
        });
        const current = fields.get('current') ?? '';
        const changed = changePassword(db, session, { current, next }, place);
        const secret = await showAtField('current', (e) => e instanceof WrongPassword, changed);
        return { to: PASSWORD_PATH, notice: 'password-changed', cookie: cookie.set(secret) };
      },
    },
    parts,
  );
  return [page(password, parts), change];
}
