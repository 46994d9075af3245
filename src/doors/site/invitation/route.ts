import { acceptInvitation, openInvitation } from '../../../people/account/invitations.ts';
import { findCompanySignIn } from '../../../people/account/company-sign-in/settings.ts';
import { requestSignUp } from '../../../people/account/pending-sign-ups.ts';
import type { Session } from '../../../people/account/sessions.ts';
import { tenantOf } from '../../../people/account/tenant.ts';
import { checkEmailPage } from '../entrance/check-email.ts';
import { personChecks, showAtPersonField } from '../entrance/person-fields.ts';
import { ACCOUNT_HOME, startSessionAt } from '../entrance/start-session.ts';
import { checkedFields } from '../framework/form-problems.ts';
import type { Page } from '../framework/page.ts';
import type { Visit } from '../framework/visit.ts';
import { invitationPage } from './view.ts';

export const invitationRoute: Page<'anyone'> = {
  audience: 'anyone',
  path: '/invite/{token}',
  async show({ db, params, session, links }, form) {
    const token = params.token!;
    const invitation = await openInvitation(db, token);
    const company = await findCompanySignIn(tenantOf(db, invitation.organization.id));
    const atCompany = company && { isRequired: company.required !== 'off' };
    return invitationPage(
      { token, session: ownSession(session), other: companyOnly(session), form, atCompany },
      invitation,
      links,
    );
  },
  forms: [
    {
      limit: 'sign-in',
      async submit(visit, fields) {
        const { db, params, links } = visit;
        const session = ownSession(visit.session);
        const token = params.token!;
        const joined = { to: ACCOUNT_HOME, notice: 'joined' } as const;
        if (session) {
          const { isConfirmed, person } = session;
          const { id: personId, email, name } = person;
          const { organizationId } = await acceptInvitation(db, token, { personId, email, name });
          return startSessionAt(visit, personId, { ...joined, organizationId, isConfirmed });
        }
        const entered = checkedFields(personChecks(fields));
        if (visit.sendsMail && !(await isMailedTo(visit, entered.email))) {
          await showAtPersonField(requestSignUp(db, entered, { invitation: token }));
          return { page: checkEmailPage('sign-up', entered.email, links) };
        }
        const accepted = acceptInvitation(db, token, entered);
        const { personId, organizationId } = await showAtPersonField(accepted);
        return startSessionAt(visit, personId, { ...joined, organizationId });
      },
    },
  ],
};

/** A session that a company's provider started can't join other organizations: it doesn't open the person's own account. */
const ownSession = (session: Session | null) => (session?.company ? null : session);

/** A company session, which joining by a password ends */
const companyOnly = (session: Session | null) => (session?.company ? session : null);

/** Whether the person opened the link that was sent to this address. */
async function isMailedTo({ db, params }: Visit, email: string): Promise<boolean> {
  const { mailedTo } = await openInvitation(db, params.token!);
  return mailedTo !== null && mailedTo.toLowerCase() === email.toLowerCase();
}
