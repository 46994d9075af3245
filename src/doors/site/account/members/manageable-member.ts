import { requireManageable, requireManager } from '../../../../people/account/access.ts';
import type { Caller } from '../../../../people/account/caller.ts';
import { memberByEmail, type Member } from '../../../../people/account/members.ts';

/**
 * Returns the member whom a form names.
 * @throws ServiceError 403 `role_required` if the caller may not manage the member; 404
 */
export async function manageableMember(caller: Caller, email: string | null): Promise<Member> {
  requireManager(caller);
  const member = await memberByEmail(caller.tenant, email ?? '');
  requireManageable(caller, member);
  return member;
}
