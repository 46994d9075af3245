/** Whether a caller may use the service, with the meter in the refusal. */
import { requireAccess } from '../account/access.ts';
import type { Caller } from '../account/caller.ts';
import { ServiceError } from '../errors.ts';
import { meterOf } from './meter.ts';

/**
 * As `requireAccess`. The refusal has the meter as `usage`, like other refusals with status 402.
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
