/** Who may change groups and reserves. */
import { MANAGERS, requireChange, requireRole } from '../../account/access.ts';
import type { Caller } from '../../account/caller.ts';
import { ServiceError } from '../../errors.ts';

/** @throws ServiceError 403 `brand_out_of_scope` if the caller has access to only some brands */
export function requireAllGroups({ brandScope }: Pick<Caller, 'brandScope'>): void {
  if (brandScope === 'all') return;
  throw new ServiceError(
    403,
    'brand_out_of_scope',
    'Groups can include every brand of the organization, and this key or person has access to only some of them. ' +
      'Use a key or an account with access to all brands.',
  );
}

/**
 * Owners, admins, and keys that may write, with access to all brands. Managers issue the keys.
 * @throws ServiceError 402 without a subscription, 403 for others
 */
export function requireGroupChange(caller: Caller): void {
  requireChange(caller);
  requireAllGroups(caller);
  if (caller.actor.kind === 'person') requireRole(caller, MANAGERS, 'Changing a group of brands');
}
