import {
  MANAGERS,
  manageableRoles,
  requireAssignable,
  requireManageable,
  requireRole,
} from '../../../account/access.ts';
import type { Caller, Role } from '../../../account/caller.ts';
import { invite, listInvitations, revokeInvitation } from '../../../account/invitations.ts';
import {
  listMembers,
  memberByEmail,
  removeMember,
  ROLES,
  setMayWrite,
  setRole,
} from '../../../account/members.ts';
import { checkedName } from '../../../account/names.ts';
import type { Operation } from '../../../contract/operation.ts';
import { FormState } from '../../form-state.ts';
import { form, type Form } from '../../framework/form.ts';
import { checkedFields, oneOf } from '../../framework/form-problems.ts';
import { page, type Page } from '../../framework/page.ts';
import type { MemberVisit, SiteParts } from '../../framework/visit.ts';
import { loadFrame } from '../load-frame.ts';
import { MEMBER_FORMS, MEMBERS_PATH, membersPage, type MembersContent } from './view.ts';

export function membersRoutes(parts: SiteParts): Operation[] {
  const { db } = parts;
  const show = async (
    visit: MemberVisit,
    state: FormState,
    invited?: MembersContent['invited'],
  ): Promise<string> => {
    const { tenant, plan, actor } = visit.caller;
    const [frame, people, invitations] = await Promise.all([
      loadFrame(db, visit),
      listMembers(tenant),
      listInvitations(tenant),
    ]);
    return membersPage(
      {
        ...frame,
        form: state,
        viewerId: actor.id!,
        members: people,
        invitations,
        seats: plan.seats,
        manageable: manageableRoles(visit.caller),
        ...(invited && { invited }),
      },
      visit.links,
    );
  };
  const members: Page<'member'> = { audience: 'member', path: MEMBERS_PATH, show };
  const memberForm = (path: string, submit: Form<typeof members>['submit']) =>
    form(members, { path, submit }, parts);
  return [
    page(members, parts),
    memberForm(MEMBER_FORMS.invite, async (visit, fields) => {
      const { caller } = visit;
      requireRole(caller, MANAGERS, 'Inviting a member');
      const { name, role } = checkedFields({
        name: () => checkedName('An invitation', fields.get('name') ?? ''),
        role: () => readRole(caller, fields),
      });
      const token = await invite(caller.tenant, { name, role, createdBy: caller.actor.id! });
      return { page: await show(visit, FormState.EMPTY, { name, token }) };
    }),
    memberForm(MEMBER_FORMS.revoke, async ({ caller }, fields) => {
      requireRole(caller, MANAGERS, 'Revoking an invitation');
      await revokeInvitation(caller.tenant, fields.get('invitation') ?? '');
      return { to: MEMBERS_PATH, notice: 'invitation-revoked' };
    }),
    memberForm(MEMBER_FORMS.role, async ({ caller }, fields) => {
      const email = await manageableEmail(caller, fields, 'Changing a role');
      await setRole(caller.tenant, email, readRole(caller, fields));
      return { to: MEMBERS_PATH, notice: 'role-changed' };
    }),
    memberForm(MEMBER_FORMS.access, async ({ caller }, fields) => {
      const email = await manageableEmail(caller, fields, 'Changing a member’s access');
      const mayWrite = oneOf(['read', 'write'], fields.get('access')) === 'write';
      await setMayWrite(caller.tenant, email, mayWrite);
      return { to: MEMBERS_PATH, notice: 'access-changed' };
    }),
    memberForm(MEMBER_FORMS.remove, async ({ caller }, fields) => {
      const email = await manageableEmail(caller, fields, 'Removing a member');
      await removeMember(caller.tenant, email);
      return { to: MEMBERS_PATH, notice: 'member-removed' };
    }),
  ];
}

/** @throws ServiceError 400 for an unknown role, 403 for one that the caller may not give */
function readRole(caller: Caller, fields: URLSearchParams): Role {
  const role = oneOf(ROLES, fields.get('role'));
  requireAssignable(caller, role);
  return role;
}

/** @returns the email address of the member that a form is about */
async function manageableEmail(
  caller: Caller,
  fields: URLSearchParams,
  task: string,
): Promise<string> {
  requireRole(caller, MANAGERS, task);
  const member = await memberByEmail(caller.tenant, fields.get('email') ?? '');
  requireManageable(caller, member, task);
  return member.email;
}
