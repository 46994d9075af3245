/** Who manages an organisation's people and keys. */
import type { Role } from './caller.ts';
import { ROLES } from './members.ts';

export const MANAGERS: readonly Role[] = ['owner', 'admin'];

/** Roles that somebody may give and take: nobody makes or unmakes whom they are beneath. */
export function manageableRoles(role: Role | null): readonly Role[] {
  if (role === 'owner') return ROLES;
  return role === 'admin' ? ROLES.filter((one) => one !== 'owner') : [];
}
