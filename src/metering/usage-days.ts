/** Charged units of an organization by day and tool. */
import type { Tenant } from '../account/tenant.ts';
import { expiring } from '../db/expiring-rows.ts';

/** Kept for two years after the month that a bill is about. */
export const OLD_USAGE = expiring({
  table: 'usage_days',
  column: 'day',
  before: `(now() at time zone 'utc')::date - interval '25 months'`,
});

export interface UsageDay {
  /** UTC, as `YYYY-MM-DD` */
  day: string;
  tool: string;
  calls: number;
  units: number;
}

/** Returns usage from one day until before another, `YYYY-MM-DD`, in order. */
export const usageDays = (tenant: Tenant, start: string, end: string): Promise<UsageDay[]> =>
  tenant.query<UsageDay>(
    `select to_char(day, 'YYYY-MM-DD') as day, tool, calls, units from usage_days
     where organization_id = $1 and day >= $2 and day < $3 order by day, tool`,
    [start, end],
  );
