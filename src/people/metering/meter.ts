/** Units that an organization used this month. Months begin at midnight UTC. */
import type { z } from 'zod';
import type { Subscription } from '../account/caller.ts';
import type { Tenant } from '../account/tenant.ts';
import type { UsageMeter } from '../../base/contract/usage-meter.ts';

export type Meter = z.output<typeof UsageMeter>;

/** First days of a month and of the next month, `YYYY-MM-DD` */
export interface Period {
  start: string;
  end: string;
}

export function periodAt(time: Date): Period {
  const first = (months: number) =>
    dayOf(new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months)));
  return { start: first(0), end: first(1) };
}

export const dayOf = (time: Date) => time.toISOString().slice(0, 10);

/** Returns the meter. Units of running calls count as used, and those of calls whose process crashed don't. */
export async function meterOf(
  tenant: Tenant,
  subscription: Pick<Subscription, 'monthlyUnits'>,
  at = new Date(),
): Promise<Meter> {
  const { start, end } = periodAt(at);
  const [row] = await tenant.query<{ used: number }>(
    `select units - coalesce((
       select sum(units) from usage_reservations
       where organization_id = $1 and period = $2 and expires_at <= now()
     ), 0) as used
     from usage_periods where organization_id = $1 and period = $2`,
    [start],
  );
  const used = row?.used ?? 0;
  return {
    period: start.slice(0, 7),
    unitsIncluded: subscription.monthlyUnits,
    unitsUsed: used,
    // A smaller subscription may include fewer units than were already used.
    unitsRemaining: Math.max(subscription.monthlyUnits - used, 0),
    resetsAt: `${end}T00:00:00.000Z`,
  };
}
