/** Checks whether a caller may use the service. */
import { requireAccess } from '../account/access.ts';
import type { Caller } from '../account/caller.ts';
import { ServiceError } from '../errors.ts';
import { meterOf } from './meter.ts';

/**
 * Works as `requireAccess`, but the error has the meter as `usage`, like other errors with status 402.
 * @throws ServiceError 402 `subscription_required`
 */
export async function requireMeteredAccess({
  tenant,
  plan,
}: Pick<Caller, 'tenant' | 'plan'>): Promise<void> {
  try {
    requireAccess({ plan });
  } catch (error) {
    const { status, code, message } = error as ServiceError;
    const details = { usage: await meterOf(tenant, plan) };
    throw new ServiceError(status, code, message, { cause: error, details });
  }
}
