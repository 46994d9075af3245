/** Charged units of an organization by day and tool. */
import type { Tenant } from '../account/tenant.ts';
import { periodAt } from './meter.ts';
import { expiring } from '../../base/db/expiring-rows.ts';

/** Usage that is too old to keep: more than two years after its month */
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

/** Usage of a month, as `service_get_capabilities` returns it */
interface UsageSummary {
  /** Most units first */
  byTool: Omit<UsageDay, 'day'>[];
  /** Latest day first. `tools` has the units of each tool. */
  byDay: { day: string; units: number; tools: Record<string, number> }[];
}

/** Summarizes this month's charged usage. Calls in progress are missing. */
export async function usageOfMonth(tenant: Tenant): Promise<UsageSummary> {
  const { start, end } = periodAt(new Date());
  const rows = await usageDays(tenant, start, end);
  const byTool = new Map<string, Omit<UsageDay, 'day'>>();
  const byDay = new Map<string, UsageSummary['byDay'][number]>();
  for (const { day, tool, calls, units } of rows) {
    const ofTool = byTool.get(tool) ?? { tool, calls: 0, units: 0 };
    byTool.set(tool, { tool, calls: ofTool.calls + calls, units: ofTool.units + units });
    const ofDay = byDay.get(day) ?? { day, units: 0, tools: {} };
    ofDay.tools[tool] = units;
    byDay.set(day, { ...ofDay, units: ofDay.units + units });
  }
  return {
    byTool: [...byTool.values()].sort((a, b) => b.units - a.units),
    byDay: [...byDay.values()].reverse(),
  };
}

/** Returns usage by day, in order. @param start first day, `YYYY-MM-DD` @param end the day after the last */
export const usageDays = (tenant: Tenant, start: string, end: string): Promise<UsageDay[]> =>
  tenant.query<UsageDay>(
    `select to_char(day, 'YYYY-MM-DD') as day, tool, calls, units from usage_days
     where organization_id = $1 and day >= $2 and day < $3 order by day, tool`,
    [start, end],
  );
