import { checkedName } from '../../account/names.ts';
import { signUp } from '../../account/sign-up.ts';
import type { Operation } from '../../contract/operation.ts';
import { personChecks } from '../entrance/person-fields.ts';
import { ACCOUNT_HOME, pathAfterSignIn, startSessionAt } from '../entrance/start-session.ts';
import { form } from '../framework/form.ts';
import { checkedFields, isConflict, showAtField } from '../framework/form-problems.ts';
import { page, type Page } from '../framework/page.ts';
import type { SiteParts } from '../framework/visit.ts';
import { signUpPage } from './view.ts';

export function signUpRoutes(parts: SiteParts): Operation[] {
  const newAccount: Page<'anyone'> = {
    audience: 'anyone',
    path: '/signup',
    show: ({ query, links }, state) => signUpPage({ query, form: state }, links),
  };
  const create = form(
    newAccount,
    {
      limit: 'sign-in',
      async submit(visit, fields) {
        const entered = checkedFields({
          ...personChecks(fields),
          organization: () => checkedName('An organization', fields.get('organization') ?? ''),
        });
        const { personId } = await showAtField('email', isConflict, signUp(parts.db, entered));
        const to = pathAfterSignIn(fields.get('next'));
        const welcome = to === ACCOUNT_HOME && ({ notice: 'signed-up' } as const);
        return startSessionAt(parts, visit, personId, { to, ...welcome });
      },
    },
    parts,
  );
  return [page(newAccount, parts), create];
}
