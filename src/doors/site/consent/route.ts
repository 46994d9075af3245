/** Lets a person allow or deny a connector to act on their behalf. */
import type { Caller } from '../../../people/account/caller.ts';
import { callerOfPerson } from '../../../people/account/callers.ts';
import { organizationsOf } from '../../../people/account/sessions.ts';
import type { Operation } from '../../../base/contract/operation.ts';
import { badRequest, notFound } from '../../../errors.ts';
import { allow, consentRequest, deny } from '../../../people/oauth/authorization.ts';
import type { Page } from '../framework/page.ts';
import type { MemberVisit } from '../framework/visit.ts';
import { consentPage } from './view.ts';

/** Relative to the site's root, without the id of the request */
export const CONSENT_PATH = '/connect';

const PATH = `${CONSENT_PATH}/{uid}`;

export const isConsent = ({ path }: Operation) => path === PATH;

export const consentRoute: Page<'member'> = {
  audience: 'member',
  path: PATH,
  async show({ db, connectors, params, headers, session, caller, links }, form) {
    const uid = params.uid!;
    const { person } = session;
    const [request, organizations] = await Promise.all([
      consentRequest(connectors, uid, headers),
      organizationsOf(db, session),
    ]);
    const path = `${CONSENT_PATH}/${encodeURIComponent(uid)}`;
    return consentPage({ path, request, person, caller, organizations, form }, links);
  },
  forms: [
    {
      // Like an API key, a connector acts for the person for up to a year.
      asksPassword: (fields) => fields.get('decision') === 'allow',
      async submit(visit, fields) {
        const { db, connectors, params, headers } = visit;
        const uid = params.uid!;
        const decision = fields.get('decision');
        if (decision === 'deny') return { to: await deny(connectors, uid, headers) };
        if (decision !== 'allow') throw badRequest('Choose Allow or Cancel.');
        const caller = await callerIn(visit, fields.get('organization') ?? '');
        const { company } = visit.session;
        return { to: await allow(db, connectors, uid, headers, caller, company) };
      },
    },
  ],
};

/** @throws ServiceError 404 if the person doesn't belong to the organization */
async function callerIn({ db, session }: MemberVisit, organizationId: string): Promise<Caller> {
  const isTheirs = (await organizationsOf(db, session)).some((one) => one.id === organizationId);
  const caller = isTheirs && (await callerOfPerson(db, organizationId, session.person.id));
  if (caller) return caller;
  throw notFound('You don’t belong to this organization. Choose one of yours.');
}
