/** Company sign-in begins here. Any site can link to the page, so only its form leads to the provider. */
import { companyOf, noCompanySignIn } from '../../../../people/account/company-sign-in/attempts.ts';
import {
  isOrganizationId,
  START_ROUTE,
  SWITCH_ROUTE,
} from '../../../../people/account/company-sign-in/addresses.ts';
import { endHeldSession } from '../../../../people/account/sessions.ts';
import { finishHeldSignIn, pathAfterSignIn } from '../../entrance/start-session.ts';
import type { Page } from '../../framework/page.ts';
import type { Visit } from '../../framework/visit.ts';
import { leaveForProvider } from './begin.ts';
import { startPage } from './view.ts';

/** @throws ServiceError 404 if the address names no organization */
export function organizationIn({ params }: Pick<Visit, 'params'>): string {
  const id = params.organization!;
  if (isOrganizationId(id)) return id;
  throw noCompanySignIn();
}

export const companyStartRoute: Page<'anyone'> = {
  audience: 'anyone',
  path: START_ROUTE,
  async show(visit, form) {
    const company = await companyOf(visit.db, organizationIn(visit));
    return startPage({ company, query: visit.query, form }, visit.links);
  },
  forms: [
    {
      // It asks the provider, as the authorization of a connector asks the connector's site.
      limit: 'authorize',
      async submit(visit, fields) {
        const { session } = visit;
        const organizationId = organizationIn(visit);
        // Any site can lead to the page. So only the provider of the person's own organization gets the email address.
        const isOwn = session?.organizationId === organizationId;
        return leaveForProvider(visit, {
          organizationId,
          next: fields.get('next') ?? '',
          again: fields.get('again') !== null,
          invitation: fields.get('invitation') ?? undefined,
          loginHint: isOwn ? session.person.email : undefined,
        });
      },
    },
    {
      path: SWITCH_ROUTE,
      async submit(visit, fields) {
        const { db, companyCookie, headers } = visit;
        if (fields.get('decision') === 'switch') {
          return finishHeldSignIn(visit, pathAfterSignIn(fields.get('next')));
        }
        await endHeldSession(db, companyCookie.read(headers));
        return { to: '/account', notice: 'still-signed-in', cookies: [companyCookie.clear()] };
      },
    },
  ],
};
