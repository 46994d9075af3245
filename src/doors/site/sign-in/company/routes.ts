/** Company sign-in: back from the provider, and its messages about people who signed out there. */
import { companyOf } from '../../../../people/account/company-sign-in/attempts.ts';
import { finishCompanySignIn } from '../../../../people/account/company-sign-in/finish.ts';
import { companyLogout } from '../../../../people/account/company-sign-in/logout.ts';
import { operation, type Operation } from '../../../../base/contract/operation.ts';
import { badRequest, ServiceError } from '../../../../errors.ts';
import { unlisted } from '../../../http/unlisted.ts';
import {
  ACCOUNT_HOME,
  finishSignIn,
  holdSignIn,
  pathAfterSignIn,
} from '../../entrance/start-session.ts';
import { FormState } from '../../form-state.ts';
import { FORM_BODY } from '../../framework/form.ts';
import { htmlAnswer, redirect, visitOperation, type PageAnswer } from '../../framework/page.ts';
import type { SiteParts, Visit } from '../../framework/visit.ts';
import { signInPage } from '../view.ts';
import { organizationIn } from './start.ts';
import { switchPage } from './view.ts';
import {
  CALLBACK_ROUTE,
  callbackPath,
  LOGOUT_ROUTE,
} from '../../../../people/account/company-sign-in/addresses.ts';

/** Shows a failure above the sign-in form, from which the person can try again. */
async function orSignInPage(visit: Visit, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    const form = new FormState('/login', new URLSearchParams(), {
      whole: error.message,
      fields: {},
    });
    const page = signInPage({ query: new URLSearchParams(), form, sendsMail: false }, visit.links);
    return htmlAnswer(error.status, page);
  }
}

const callbackRoute = (parts: SiteParts): Operation =>
  visitOperation(
    { audience: 'anyone', path: CALLBACK_ROUTE },
    parts,
    (visit) =>
      orSignInPage(visit, async () => {
        const { company, companyCookie, db, headers, links, query, session } = visit;
        const organizationId = organizationIn(visit);
        const answer = new URL(`${links.absolute(callbackPath(organizationId))}?${query}`);
        const secret = companyCookie.read(headers);
        const finished = await finishCompanySignIn(company, organizationId, answer, secret);
        const { person, companyGrant, isConfirmed, joined } = finished;
        const asked = pathAfterSignIn(finished.next);
        const to = joined && asked === ACCOUNT_HOME ? `${asked}?done=joined` : asked;
        const arrival = { to, organizationId, companyGrant, isConfirmed };
        // The provider decides who the person is. It may be another site that led the browser there.
        if (session && session.person.id !== person.id) {
          const [current, at] = [session.person, await companyOf(db, organizationId)];
          const question = switchPage({ company: at, current, other: person, next: to }, links);
          return htmlAnswer(200, question, await holdSignIn(visit, person.id, arrival));
        }
        const outcome = await finishSignIn(visit, person.id, arrival);
        return redirect(links.page(to), [...outcome.cookies, companyCookie.clear()]);
      }),
    'authorize',
  );

/** OpenID Connect Back-Channel Logout 1.0, 2.5 to 2.8. Its answers must not be cached. */
function logoutRoute({ company }: SiteParts): Operation {
  const logOut = companyLogout(company);
  return operation({
    ...unlisted('post', LOGOUT_ROUTE),
    private: true,
    limit: 'token',
    body: FORM_BODY,
    form: true,
    answers: { 200: { description: 'The sessions have ended', empty: true } },
    errors: [404, 503],
    async handle({ params, body }) {
      const token = body.get('logout_token');
      if (token === null) throw badRequest('The field logout_token is missing.');
      await logOut(params.organization, token);
      return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: '' };
    },
  });
}

export const companyRoutes = (parts: SiteParts): Operation[] =>
  [callbackRoute, logoutRoute].map((route) => route(parts));
