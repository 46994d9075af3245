/** Checks what a caller may do. */
import { requireAccess, requireRights, type Rights } from '../account/access.ts';
import type { Caller } from '../account/caller.ts';
import { ServiceError } from '../../errors.ts';
import { meterOf } from './meter.ts';

/**
 * Works as `requireAccess`, but the error has the meter as `usage`, like other errors with status 402.
 * @throws ServiceError 402 `subscription_required`
 */
export async function requireMeteredAccess({
  tenant,
  subscription,
}: Pick<Caller, 'tenant' | 'subscription'>): Promise<void> {
  try {
    requireAccess({ subscription });
  } catch (error) {
    const { status, code, message } = error as ServiceError;
    const details = { usage: await meterOf(tenant, subscription) };
    throw new ServiceError(status, code, message, { cause: error, details });
  }
}

/** Works as `requireRights`, but the error with status 402 has the meter. @throws ServiceError 402, 403 */
export async function requireMeteredRights(caller: Caller, rights: Rights): Promise<void> {
  if (rights.needs) await requireMeteredAccess(caller);
  requireRights(caller, rights);
}
