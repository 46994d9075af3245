/** Company sign-in: to the provider, back from it, and its messages about people who signed out there. */
import { noCompanySignIn } from '../../../account/company-sign-in/attempts.ts';
import { finishCompanySignIn } from '../../../account/company-sign-in/finish.ts';
import { companyLogout } from '../../../account/company-sign-in/logout.ts';
import { operation, type Operation } from '../../../contract/operation.ts';
import { badRequest, ServiceError } from '../../../errors.ts';
import { unlisted } from '../../../http/unlisted.ts';
import { ACCOUNT_HOME, finishSignIn, pathAfterSignIn } from '../../entrance/start-session.ts';
import { FormState } from '../../form-state.ts';
import { FORM_BODY } from '../../framework/form.ts';
import { htmlAnswer, redirect, visitOperation, type PageAnswer } from '../../framework/page.ts';
import type { SiteParts, Visit } from '../../framework/visit.ts';
import { signInPage } from '../view.ts';
import { leaveForProvider } from './begin.ts';
import {
  CALLBACK_ROUTE,
  callbackPath,
  isOrganizationId,
  LOGOUT_ROUTE,
  START_ROUTE,
} from '../../../account/company-sign-in/addresses.ts';

/** @throws ServiceError 404 if the address names no organization */
function organizationOf({ params }: Pick<Visit, 'params'>): string {
  const id = params.organization!;
  if (isOrganizationId(id)) return id;
  throw noCompanySignIn();
}

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

const startRoute = (parts: SiteParts): Operation =>
  visitOperation(
    { audience: 'anyone', path: START_ROUTE },
    parts,
    (visit) =>
      orSignInPage(visit, async () => {
        const { query, session } = visit;
        const organizationId = organizationOf(visit);
        // Any site can lead here. So only the provider of the person's own organization gets the email address.
        const isOwn = session?.organizationId === organizationId;
        const { away, cookies } = await leaveForProvider(visit, {
          organizationId,
          next: query.get('next') ?? '',
          again: query.get('again') !== null,
          invitation: query.get('invitation') ?? undefined,
          loginHint: isOwn ? session.person.email : undefined,
        });
        return redirect(away, cookies);
      }),
    // It asks the provider, as the authorization of a connector asks the connector's site.
    'authorize',
  );

const callbackRoute = (parts: SiteParts): Operation =>
  visitOperation(
    { audience: 'anyone', path: CALLBACK_ROUTE },
    parts,
    (visit) =>
      orSignInPage(visit, async () => {
        const { company, companyCookie, headers, links, query } = visit;
        const organizationId = organizationOf(visit);
        const answer = new URL(`${links.absolute(callbackPath(organizationId))}?${query}`);
        const secret = companyCookie.read(headers);
        const finished = await finishCompanySignIn(company, organizationId, answer, secret);
        const { personId, companyGrant, isConfirmed, joined, next } = finished;
        const to = pathAfterSignIn(next);
        const arrival = { to, organizationId, companyGrant, isConfirmed };
        const outcome = await finishSignIn(visit, personId, arrival);
        const isWelcome = joined && to === ACCOUNT_HOME;
        return redirect(links.page(isWelcome ? `${to}?done=joined` : to), [
          ...outcome.cookies,
          companyCookie.clear(),
        ]);
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
  [startRoute, callbackRoute, logoutRoute].map((route) => route(parts));
