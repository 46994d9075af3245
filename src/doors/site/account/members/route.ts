import { MANAGERS, manageableRoles, requireAssignable } from '../../../../people/account/access.ts';
import type { Caller, Role } from '../../../../people/account/caller.ts';
import {
  invite,
  listInvitations,
  revokeInvitation,
} from '../../../../people/account/invitations.ts';
import {
  colleaguesOf,
  listMembers,
  ROLES,
  setBrands,
  setMayWrite,
  setRole,
} from '../../../../people/account/members.ts';
import { brandsInScope } from '../../../../territories/brands/brands.ts';
import {
  requireSecondFactor,
  requiresSecondFactor,
} from '../../../../people/account/second-factor.ts';
import { FormState } from '../../form-state.ts';
import { oneOf } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import type { AccountContent } from '../frame.ts';
import { manageableMember } from './manageable-member.ts';
import {
  INVITATION,
  MEMBER_BRANDS,
  memberBrandsPage,
  MEMBER_FORMS,
  MEMBERS_PATH,
  membersPage,
  type MembersContent,
} from './view.ts';

async function show(
  { caller, links, sendsMail }: MemberVisit,
  form: FormState,
  invited?: MembersContent['invited'],
): Promise<AccountContent> {
  const { tenant, subscription, actor, brandScope } = caller;
  const [members, invitations, brands, needsFactor] = await Promise.all([
    listMembers(tenant),
    listInvitations(tenant),
    brandsInScope(tenant, brandScope),
    requiresSecondFactor(tenant),
  ]);
  const manageable = manageableRoles(caller);
  const people = {
    viewerId: actor.id!,
    members: colleaguesOf(members, brandScope),
    invitations,
    brands,
    seats: subscription.seats,
    taken: members.length,
    manageable,
  };
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
      roles: MANAGERS,
      allBrands: true,
      async submit(visit, fields) {
        const { caller } = visit;
        const { name, email, role: named, brands: brandIds } = INVITATION.read(fields);
        const role = readRole(caller, named);
        const createdBy = caller.actor.id!;
        const token = await invite(
          caller.tenant,
          { name, role, createdBy, brandIds, email: visit.sendsMail ? email : undefined },
          caller.actor,
        );
        return { page: await show(visit, FormState.EMPTY, { name, token, email }) };
      },
    },
    {
      path: MEMBER_FORMS.revoke,
      roles: MANAGERS,
      allBrands: true,
      async submit({ caller }, fields) {
        await revokeInvitation(caller.tenant, fields.get('invitation') ?? '', caller.actor);
        return { to: MEMBERS_PATH, notice: 'invitation-revoked' };
      },
    },
    {
      path: MEMBER_FORMS.role,
      asksPassword: true,
      async submit({ caller }, fields) {
        const email = await manageableEmail(caller, fields);
        await setRole(caller.tenant, email, readRole(caller, fields.get('role')), caller.actor);
        return { to: MEMBERS_PATH, notice: 'role-changed' };
      },
    },
    {
      path: MEMBER_FORMS.access,
      async submit({ caller }, fields) {
        const email = await manageableEmail(caller, fields);
        const mayWrite = oneOf(['read', 'write'], fields.get('access')) === 'write';
        await setMayWrite(caller.tenant, email, mayWrite, caller.actor);
        return { to: MEMBERS_PATH, notice: 'access-changed' };
      },
    },
    {
      path: MEMBER_FORMS.secondFactor,
      asksPassword: true,
      roles: MANAGERS,
      allBrands: true,
      async submit({ caller }, fields) {
        const required =
          oneOf(['required', 'optional'], fields.get('second-factor')) === 'required';
        await requireSecondFactor(caller.tenant, required, caller.actor);
        const notice = required ? 'second-factor-required' : 'second-factor-optional';
        return { to: MEMBERS_PATH, notice };
      },
    },
  ],
};

async function showBrands(
  { caller, query, links }: MemberVisit,
  form: FormState,
): Promise<AccountContent> {
  const member = await manageableMember(caller, form.value('email', query.get('email') ?? ''));
  const brands = await brandsInScope(caller.tenant, caller.brandScope);
  return memberBrandsPage({ form, member, brands }, links);
}

export const memberBrandsRoute: Page<'account'> = {
  audience: 'account',
  path: MEMBER_FORMS.brands,
  show: showBrands,
  forms: [
    {
      asksPassword: true,
      async submit({ caller }, fields) {
        const email = await manageableEmail(caller, fields);
        const { brands } = MEMBER_BRANDS.read(fields);
        await setBrands(caller.tenant, email, brands, caller.actor);
        return { to: MEMBERS_PATH, notice: 'access-changed' };
      },
    },
  ],
};

/** @throws ServiceError 400 for an unknown role, 403 for a role that the caller may not assign */
function readRole(caller: Caller, given: string | null): Role {
  const role = oneOf(ROLES, given);
  requireAssignable(caller, role);
  return role;
}

/** @returns the email address of the member whom a form names */
const manageableEmail = async (caller: Caller, fields: URLSearchParams) =>
  (await manageableMember(caller, fields.get('email'))).email;
