/** What members need for a form or for data. */
import { requireRights, requireRole, type Rights } from '../../../people/account/access.ts';
import type { Caller, Role } from '../../../people/account/caller.ts';

/** @throws ServiceError 402, 403 */
export function checkRights(caller: Caller, sent: Rights & { roles?: readonly Role[] }): void {
  if (sent.roles) requireRole(caller, sent.roles);
  requireRights(caller, sent);
}
