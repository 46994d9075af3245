import {
  MANAGERS,
  manageableRoles,
  requireAssignable,
  requireRole,
} from '../../../account/access.ts';
import type { Caller, Role } from '../../../account/caller.ts';
import { invite, listInvitations, revokeInvitation } from '../../../account/invitations.ts';
import { listMembers, ROLES, setMayWrite, setRole } from '../../../account/members.ts';
import { checkedEmail, checkedName } from '../../../account/names.ts';
import { requireSecondFactor, requiresSecondFactor } from '../../../account/second-factor.ts';
import { FormState } from '../../form-state.ts';
import { checkedFields, oneOf } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import type { AccountContent } from '../frame.ts';
import { manageableMember } from './manageable-member.ts';
import { MEMBER_FORMS, MEMBERS_PATH, membersPage, type MembersContent } from './view.ts';

async function show(
  { caller, links, sendsMail }: MemberVisit,
  form: FormState,
  invited?: MembersContent['invited'],
): Promise<AccountContent> {
  const { tenant, plan, actor } = caller;
  const [members, invitations, needsFactor] = await Promise.all([
    listMembers(tenant),
    listInvitations(tenant),
    requiresSecondFactor(tenant),
  ]);
  const manageable = manageableRoles(caller);
  const people = { viewerId: actor.id!, members, invitations, seats: plan.seats, manageable };
  return membersPage({ form, ...people, needsFactor, invited, sendsMail }, links);
}

export const membersRoute: Page<'account'> = {
  audience: 'account',
  path: MEMBERS_PATH,
  show,
  forms: [
    {
      // Managers can give access to others, so their password is required.
      asksPassword: (fields) =>
        (MANAGERS as readonly (string | null)[]).includes(fields.get('role')),
      async submit(visit, fields) {
        const { caller } = visit;
        requireRole(caller, MANAGERS, 'Inviting a member');
        const { name, role, email } = checkedFields({
          name: () => checkedName('An invitation', fields.get('name') ?? ''),
          role: () => readRole(caller, fields),
          email: () => (visit.sendsMail ? readOptionalEmail(fields) : undefined),
        });
        const createdBy = caller.actor.id!;
        const token = await invite(caller.tenant, { name, role, createdBy, email });
        return { page: await show(visit, FormState.EMPTY, { name, token, email }) };
      },
    },
    {
      path: MEMBER_FORMS.revoke,
      async submit({ caller }, fields) {
        requireRole(caller, MANAGERS, 'Revoking an invitation');
        await revokeInvitation(caller.tenant, fields.get('invitation') ?? '');
        return { to: MEMBERS_PATH, notice: 'invitation-revoked' };
      },
    },
    {
      path: MEMBER_FORMS.role,
      asksPassword: true,
      async submit({ caller }, fields) {
        const email = await manageableEmail(caller, fields, 'Changing a role');
        await setRole(caller.tenant, email, readRole(caller, fields));
        return { to: MEMBERS_PATH, notice: 'role-changed' };
      },
    },
    {
      path: MEMBER_FORMS.access,
      async submit({ caller }, fields) {
        const email = await manageableEmail(caller, fields, 'Changing a member’s access');
        const mayWrite = oneOf(['read', 'write'], fields.get('access')) === 'write';
        await setMayWrite(caller.tenant, email, mayWrite);
        return { to: MEMBERS_PATH, notice: 'access-changed' };
      },
    },
    {
      path: MEMBER_FORMS.secondFactor,
      asksPassword: true,
      async submit({ caller }, fields) {
        requireRole(caller, MANAGERS, 'Requiring a second factor');
        const required =
          oneOf(['required', 'optional'], fields.get('second-factor')) === 'required';
        await requireSecondFactor(caller.tenant, required, caller.actor.id!);
        const notice = required ? 'second-factor-required' : 'second-factor-optional';
        return { to: MEMBERS_PATH, notice };
      },
    },
  ],
};

function readOptionalEmail(fields: URLSearchParams): string | undefined {
  const email = fields.get('email')?.trim() ?? '';
  return email === '' ? undefined : checkedEmail(email);
}

/** @throws ServiceError 400 for an unknown role, 403 for a role that the caller may not assign */
function readRole(caller: Caller, fields: URLSearchParams): Role {
  const role = oneOf(ROLES, fields.get('role'));
  requireAssignable(caller, role);
  return role;
}

/** @returns the email address of the member whom a form names */
const manageableEmail = async (caller: Caller, fields: URLSearchParams, task: string) =>
  (await manageableMember(caller, fields.get('email'), task)).email;
