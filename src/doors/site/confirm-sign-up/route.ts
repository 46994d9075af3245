/** Confirms the email address of a sign-up, with the link in an email. */
import { confirmSignUp, openSignUp } from '../../../people/account/pending-sign-ups.ts';
import { tenantOf } from '../../../people/account/tenant.ts';
import { ACCOUNT_HOME, pathAfterSignIn, startSessionAt } from '../entrance/start-session.ts';
import { isFirstTerritory, prepareFirstTerritory } from '../first-territory.ts';
import type { Page } from '../framework/page.ts';
import { confirmSignUpPage } from './view.ts';

export const confirmSignUpRoute: Page<'anyone'> = {
  audience: 'anyone',
  path: '/signup/{token}',
  async show({ db, params, links, session }, form) {
    const token = params.token!;
    const signUp = await openSignUp(db, token);
    return confirmSignUpPage({ token, signUp, session, form }, links);
  },
  forms: [
    {
      limit: 'sign-in',
      async submit(visit, fields) {
        const { db, params } = visit;
        const password = fields.get('password') ?? '';
        const confirmed = await confirmSignUp(db, params.token!, password);
        const { personId, name, organizationId, organization, next } = confirmed;
        const to = pathAfterSignIn(next);
        if (organization && isFirstTerritory(to)) {
          const actor = { kind: 'person', id: personId, name } as const;
          const tenant = tenantOf(db, organizationId);
          await prepareFirstTerritory(tenant, actor, organization, to);
        }
        const notice = organization ? 'signed-up' : 'joined';
        const welcome = to === ACCOUNT_HOME && ({ notice } as const);
        return startSessionAt(visit, personId, { to, organizationId, ...welcome });
      },
    },
  ],
};
