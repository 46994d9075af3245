import type { Tenant } from '../../../src/people/account/tenant.ts';
import { meterOf } from '../../../src/people/metering/meter.ts';

/** Units that the organization used this month */
export const unitsUsed = async (tenant: Tenant): Promise<number> =>
  (await meterOf(tenant, { monthlyUnits: 0 })).unitsUsed;
