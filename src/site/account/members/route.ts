/** The people of an organisation, as its owners and admins manage them. */
import { requireRole } from '../../../account/access.ts';
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
import { badRequest, ServiceError } from '../../../errors.ts';
import { MEMBER_FORMS, membersPage, type MembersContent } from './view.ts';
import { FormState } from '../../form-state.ts';
import { manageableRoles, MANAGERS } from '../../../account/managers.ts';
import type { PersonPage } from '../../framework/page.ts';
import type { MemberVisit, PeopleParts } from '../../framework/visit.ts';
import { checkedFields } from '../../framework/form-problems.ts';
import { residentOf } from '../viewer.ts';

const PATH = '/account/members';

export function members({ db }: PeopleParts): PersonPage<MemberVisit> {
  const show = async (
    visit: MemberVisit,
    form: FormState,
    invited?: MembersContent['invited'],
  ): Promise<string> => {
    const { tenant, role, plan, actor } = visit.caller;
    const [common, people, invitations] = await Promise.all([
      residentOf(db, visit),
      listMembers(tenant),
      listInvitations(tenant),
    ]);
    return membersPage(
      {
        ...common,
        form,
        me: actor.id!,
        members: people,
        invitations,
        seats: plan.seats,
        manageable: manageableRoles(role),
        ...(invited && { invited }),
      },
      visit.links,
    );
  };
  return {
    path: PATH,
    show,
    forms: [
      {
        path: MEMBER_FORMS.invite,
        submit: async (visit, fields) => {
          const { caller } = visit;
          requireRole(caller, MANAGERS, 'Inviting somebody');
          const { name, role } = checkedFields({
            name: () => checkedName('An invitation', fields.get('name') ?? ''),
            role: () => givenRole(caller, fields),
          });
          const token = await invite(caller.tenant, { name, role, createdBy: caller.actor.id! });
          return { page: await show(visit, FormState.EMPTY, { name, token }) };
        },
      },
      {
        path: MEMBER_FORMS.revoke,
        submit: async ({ caller }, fields) => {
          requireRole(caller, MANAGERS, 'Withdrawing an invitation');
          await revokeInvitation(caller.tenant, fields.get('invitation') ?? '');
          return { to: PATH, notice: 'invitation-revoked' };
        },
      },
      {
        path: MEMBER_FORMS.role,
        submit: async ({ caller }, fields) => {
          const email = await managed(caller, fields, 'Changing a role');
          await setRole(caller.tenant, email, givenRole(caller, fields));
          return { to: PATH, notice: 'role-changed' };
        },
      },
      {
        path: MEMBER_FORMS.access,
        submit: async ({ caller }, fields) => {
          const email = await managed(caller, fields, 'Changing what somebody may do');
          await setMayWrite(caller.tenant, email, givenAccess(fields));
          return { to: PATH, notice: 'access-changed' };
        },
      },
      {
        path: MEMBER_FORMS.remove,
        submit: async ({ caller }, fields) => {
          const email = await managed(caller, fields, 'Removing somebody');
          await removeMember(caller.tenant, email);
          return { to: PATH, notice: 'member-removed' };
        },
      },
    ],
  };
}

/** @throws ServiceError 400 for no role, 403 for one that is not theirs to give */
function givenRole({ role }: Caller, fields: URLSearchParams): Role {
  const given = ROLES.find((one) => one === fields.get('role'));
  if (!given) throw badRequest(`Choose one of ${ROLES.join(', ')}.`);
  if (manageableRoles(role).includes(given)) return given;
  throw new ServiceError(403, 'role_required', 'Only an owner can make somebody an owner.');
}

function givenAccess(fields: URLSearchParams): boolean {
  const access = fields.get('access');
  if (access === 'read' || access === 'write') return access === 'write';
  throw badRequest('Choose one of read, write.');
}

/** @returns the e-mail address of the person that a form is about, who is theirs to manage */
async function managed(caller: Caller, fields: URLSearchParams, task: string): Promise<string> {
  requireRole(caller, MANAGERS, task);
  const member = await memberByEmail(caller.tenant, fields.get('email') ?? '');
  if (manageableRoles(caller.role).includes(member.role)) return member.email;
  throw new ServiceError(403, 'role_required', `${task} who is an owner is for owners.`);
}
