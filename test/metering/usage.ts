/** What the tables of metered use hold, for tests. */
import { expect } from 'vitest';
import { createOrganization } from '../../src/account/organizations.ts';
import { tenantOf, type Tenant, type TenantDatabase } from '../../src/account/tenant.ts';
import type { Database } from '../../src/db/database.ts';

let organizations = 0;

/** Of an organisation of its own, that has used nothing. */
export async function newTenant(db: Database): Promise<TenantDatabase> {
  const { id } = await createOrganization(db, { name: `Metered ${++organizations}` });
  return tenantOf(db, id);
}

export interface Usage {
  /** By the month's first day: charged and reserved */
  periods: Record<string, number>;
  /** By month: charged alone */
  charged: Record<string, number>;
  /** By month: reserved alone */
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

/** Every unit of a month is charged or reserved, and none twice. */
export async function expectBalanced(tenant: Tenant): Promise<Usage> {
  const usage = await usageOf(tenant);
  const both: Record<string, number> = { ...usage.charged };
  for (const [month, units] of Object.entries(usage.reserved)) {
    both[month] = (both[month] ?? 0) + units;
  }
  expect(usage.periods).toEqual(both);
  return usage;
}

/** As if the longest call had passed since. */
export async function expireReservations(tenant: Tenant): Promise<void> {
  await tenant.query(
    `update usage_reservations set expires_at = now() - interval '1 second'
     where organization_id = $1`,
  );
}
