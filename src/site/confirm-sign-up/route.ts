/** Confirms the email address of a sign-up, with the link in an email. */
import { confirmSignUp, openSignUp } from '../../account/pending-sign-ups.ts';
import { tenantOf } from '../../account/tenant.ts';
import { ensureBrand } from '../../territory/first-brand.ts';
import { ACCOUNT_HOME, pathAfterSignIn, startSessionAt } from '../entrance/start-session.ts';
import { isFirstTerritory } from '../first-territory.ts';
import type { Page } from '../framework/page.ts';
import { confirmSignUpPage } from './view.ts';

export const confirmSignUpRoute: Page<'anyone'> = {
  audience: 'anyone',
  path: '/signup/{token}',
  async show({ db, params, links }, form) {
    const token = params.token!;
    return confirmSignUpPage({ token, signUp: await openSignUp(db, token), form }, links);
  },
  forms: [
    {
      limit: 'sign-in',
      async submit(visit, fields) {
        const { db, params } = visit;
        const password = fields.get('password') ?? '';
        const confirmed = await confirmSignUp(db, params.token!, password);
        const { personId, organizationId, organization, next } = confirmed;
        const to = pathAfterSignIn(next);
        if (organization && isFirstTerritory(to)) {
          await ensureBrand(tenantOf(db, organizationId), organization);
        }
        const notice = organization ? 'signed-up' : 'joined';
        const welcome = to === ACCOUNT_HOME && ({ notice } as const);
        return startSessionAt(visit, personId, { to, organizationId, ...welcome });
      },
    },
  ],
};
