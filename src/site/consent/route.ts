/** A person lets a connector act for them, or does not. */
import { callerOfPerson } from '../../account/callers.ts';
import type { Caller } from '../../account/caller.ts';
import { organizationsOf } from '../../account/sessions.ts';
import type { Operation } from '../../contract/operation.ts';
import { badRequest, notFound } from '../../errors.ts';
import { allow, consentRequest, deny } from '../../oauth/authorization.ts';
import { consentPage } from './view.ts';
import type { PersonPage } from '../framework/page.ts';
import type { MemberVisit, PeopleParts } from '../framework/visit.ts';

/** From the site's root; the request's name follows. */
export const CONSENT_PATH = '/connect';

const PATH = `${CONSENT_PATH}/{uid}`;

export const isConsent = ({ path }: Operation) => path === PATH;

export function consent({ db, connectors }: PeopleParts): PersonPage<MemberVisit> {
  /** @throws ServiceError 404 for an organisation that they do not belong to */
  const actingFor = async ({ session }: MemberVisit, organizationId: string): Promise<Caller> => {
    const { id } = session.person;
    const theirs = (await organizationsOf(db, id)).some((one) => one.id === organizationId);
    const caller = theirs && (await callerOfPerson(db, organizationId, id));
    if (caller) return caller;
    throw notFound('You do not belong to this organisation. Choose one of yours.');
  };
  return {
    path: PATH,
    show: async ({ params, headers, session, caller, links }, form) => {
      const uid = params.uid!;
      const [request, organizations] = await Promise.all([
        consentRequest(connectors, uid, headers),
        organizationsOf(db, session.person.id),
      ]);
      const path = `${CONSENT_PATH}/${encodeURIComponent(uid)}`;
      return consentPage(
        { path, request, person: session.person, caller, organizations, form },
        links,
      );
    },
    forms: [
      {
        path: PATH,
        submit: async (visit, fields) => {
          const { params, headers } = visit;
          const uid = params.uid!;
          const decision = fields.get('decision');
          if (decision === 'deny') return { to: await deny(connectors, uid, headers) };
          if (decision !== 'allow') throw badRequest('Choose whether to connect.');
          const caller = await actingFor(visit, fields.get('organization') ?? '');
          return { to: await allow(db, connectors, uid, headers, caller) };
        },
      },
    ],
  };
}
