/** Events when an organization has used 80% and 100% of a month's units or ZIP codes with figures. */
import type { TenantTransaction } from '../account/tenant.ts';
import { recordEventOnce } from '../events/events.ts';
import { periodAt } from './meter.ts';

const PERCENTS = [80, 100] as const;

export interface Use {
  meter: 'units' | 'figures';
  /** Including the use of the current call */
  used: number;
  included: number;
  /** A time within the month */
  at: Date;
}

/** Whether there is an event to record. A subscription that includes nothing has no thresholds. */
export const reachesThreshold = ({ used, included }: Use): boolean =>
  included > 0 && used >= (included * PERCENTS[0]) / 100;

/** Records the thresholds that are reached, each once a month. A larger or smaller subscription doesn't repeat them. */
export function recordThresholds(tx: TenantTransaction, use: Use): void {
  const { meter, used, included, at } = use;
  if (!reachesThreshold(use)) return;
  const { start, end } = periodAt(at);
  const period = start.slice(0, 7);
  for (const percent of PERCENTS) {
    if (used < (included * percent) / 100) continue;
    recordEventOnce(
      tx,
      {
        type: 'usage.threshold',
        data: { meter, percent, used, included, period, resetsAt: `${end}T00:00:00.000Z` },
      },
      `usage.threshold ${meter} ${percent} ${period}`,
    );
  }
}
