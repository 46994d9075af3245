/** Reads and checks the usage tables, for tests. */
import { expect } from 'vitest';
import { createOrganization } from '../../../src/people/account/organizations.ts';
import { tenantOf, type Tenant, type TenantDatabase } from '../../../src/people/account/tenant.ts';
import type { Database } from '../../../src/base/db/database.ts';

let organizations = 0;

/** Creates an organization without usage. */
export async function newTenant(db: Database): Promise<TenantDatabase> {
  const { id } = await createOrganization(db, { name: `Metered ${++organizations}` });
  return tenantOf(db, id);
}

export interface Usage {
  /** Charged and reserved units, by the month's first day */
  periods: Record<string, number>;
  /** Charged units, by month */
  charged: Record<string, number>;
  /** Reserved units, by month */
  reserved: Record<string, number>;
}

export async function usageOf(tenant: Tenant): Promise<Usage> {
  const unitsOf = async (table: string, month: string) => {
    const rows = await tenant.query<{ month: string; units: number }>(
      `select ${month}::text as month, sum(units)::int as units from ${table}
       where organization_id = $1 group by 1 having sum(units) > 0 order by 1`,
    );
    return Object.fromEntries(rows.map(({ month, units }) => [month, units]));
  };
  return {
    periods: await unitsOf('usage_periods', 'period'),
    charged: await unitsOf('usage_days', `date_trunc('month', day)::date`),
    reserved: await unitsOf('usage_reservations', 'period'),
  };
}

/** Expects each used unit of a month to be either charged or reserved. */
export async function expectBalanced(tenant: Tenant): Promise<Usage> {
  const usage = await usageOf(tenant);
  const both: Record<string, number> = { ...usage.charged };
  for (const [month, units] of Object.entries(usage.reserved)) {
    both[month] = (both[month] ?? 0) + units;
  }
  expect(usage.periods).toEqual(both);
  return usage;
}

/** Expires all reservations, as if the longest call's time had passed. */
export async function expireReservations(tenant: Tenant): Promise<void> {
  await tenant.query(
    `update usage_reservations set expires_at = now() - interval '1 second'
     where organization_id = $1`,
  );
}
