import { acceptInvitation, openInvitation } from '../../account/invitations.ts';
import type { Operation } from '../../contract/operation.ts';
import { personChecks } from '../entrance/person-fields.ts';
import { ACCOUNT_HOME, startSessionAt } from '../entrance/start-session.ts';
import { form } from '../framework/form.ts';
import { checkedFields, isConflict, showAtField } from '../framework/form-problems.ts';
import { page, type Page } from '../framework/page.ts';
import type { SiteParts } from '../framework/visit.ts';
import { invitationPage } from './view.ts';

export function invitationRoutes(parts: SiteParts): Operation[] {
  const { db } = parts;
  const invitation: Page<'anyone'> = {
    audience: 'anyone',
    path: '/invite/{token}',
    async show({ params, session, links }, state) {
      const token = params.token!;
      const open = await openInvitation(db, token);
      return invitationPage({ token, session, form: state }, open, links);
    },
  };
  const join = form(
    invitation,
    {
      limit: 'sign-in',
      async submit(visit, fields) {
        const { session, params } = visit;
        const token = params.token!;
        const joined = { to: ACCOUNT_HOME, notice: 'joined' } as const;
        if (session) {
          const { id: personId, email, name } = session.person;
          const { organizationId } = await acceptInvitation(db, token, { personId, email, name });
          return startSessionAt(parts, visit, personId, { ...joined, organizationId });
        }
        const accepted = acceptInvitation(db, token, checkedFields(personChecks(fields)));
        const { personId, organizationId } = await showAtField('email', isConflict, accepted);
        return startSessionAt(parts, visit, personId, { ...joined, organizationId });
      },
    },
    parts,
  );
  return [page(invitation, parts), join];
}
