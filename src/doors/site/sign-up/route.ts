import { checkedName } from '../../../people/account/names.ts';
import { requestSignUp } from '../../../people/account/pending-sign-ups.ts';
import { signUp } from '../../../people/account/sign-up.ts';
import { tenantOf } from '../../../people/account/tenant.ts';
import { checkEmailPage } from '../entrance/check-email.ts';
import { personChecks, showAtPersonField } from '../entrance/person-fields.ts';
import { ACCOUNT_HOME, pathAfterSignIn, startSessionAt } from '../entrance/start-session.ts';
import { firstTerritoryPath, isFirstTerritory, prepareFirstTerritory } from '../first-territory.ts';
import { checkedFields } from '../framework/form-problems.ts';
import type { Page } from '../framework/page.ts';
import { signUpPage } from './view.ts';

export const signUpRoute: Page<'anyone'> = {
  audience: 'anyone',
  path: '/signup',
  show: ({ query, links }, form) => signUpPage({ query, form }, links),
  forms: [
    {
      limit: 'sign-in',
      async submit(visit, fields) {
        const entered = checkedFields({
          ...personChecks(fields),
          organization: () => checkedName('An organization', fields.get('organization') ?? ''),
        });
        const next = fields.get('next') || (await firstTerritoryPath(visit.db, fields));
        if (visit.sendsMail) {
          // The same response for known and unknown addresses. Only the emails differ.
          const requested = requestSignUp(visit.db, entered, entered, pathAfterSignIn(next));
          await showAtPersonField(requested);
          return { page: checkEmailPage('sign-up', entered.email, visit.links) };
        }
        const { personId, organization } = await showAtPersonField(signUp(visit.db, entered));
        const to = pathAfterSignIn(next);
        if (isFirstTerritory(to)) {
          const actor = { kind: 'person', id: personId, name: entered.name } as const;
          const tenant = tenantOf(visit.db, organization.id);
          await prepareFirstTerritory(tenant, actor, organization, to);
        }
        const welcome = to === ACCOUNT_HOME && ({ notice: 'signed-up' } as const);
        return startSessionAt(visit, personId, { to, ...welcome });
      },
    },
  ],
};
