/** Choosing a password with a link from an operator. */
import { openPasswordLink, passwordByLink } from '../../account/password-links.ts';
import { checkedPassword } from '../../account/passwords.ts';
import type { Operation } from '../../contract/operation.ts';
import { ACCOUNT_HOME, startSessionAt } from '../entrance/start-session.ts';
import { form } from '../framework/form.ts';
import { checkedFields } from '../framework/form-problems.ts';
import { page, type Page } from '../framework/page.ts';
import type { SiteParts } from '../framework/visit.ts';
import { passwordLinkPage } from './view.ts';

export function passwordLinkRoutes(parts: SiteParts): Operation[] {
  const { db } = parts;
  const passwordLink: Page<'anyone'> = {
    audience: 'anyone',
    path: '/password/{token}',
    async show({ params, links }, state) {
      const token = params.token!;
      const person = await openPasswordLink(db, token);
      return passwordLinkPage({ token, person, form: state }, links);
    },
  };
  const choose = form(
    passwordLink,
    {
      limit: 'sign-in',
      async submit(visit, fields) {
        const token = visit.params.token!;
        const { email } = await openPasswordLink(db, token);
        const { password } = checkedFields({
          password: () => checkedPassword(fields.get('password') ?? '', email),
        });
        const personId = await passwordByLink(db, token, password);
        const outcome = { to: ACCOUNT_HOME, notice: 'password-chosen' } as const;
        return startSessionAt(parts, visit, personId, outcome);
      },
    },
    parts,
  );
  return [page(passwordLink, parts), choose];
}
