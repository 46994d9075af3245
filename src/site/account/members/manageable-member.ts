import { MANAGERS, requireManageable, requireRole } from '../../../account/access.ts';
import type { Caller } from '../../../account/caller.ts';
import { memberByEmail, type Member } from '../../../account/members.ts';

/**
 * Returns the member whom a form names.
 * @param task the subject of the error message: "Removing a member"
 * @throws ServiceError 403 `role_required` if the caller may not manage the member; 404
 */
export async function manageableMember(
  caller: Caller,
  email: string | null,
  task: string,
): Promise<Member> {
  requireRole(caller, MANAGERS, task);
  const member = await memberByEmail(caller.tenant, email ?? '');
  requireManageable(caller, member, task);
  return member;
}
