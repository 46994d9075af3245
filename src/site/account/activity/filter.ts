/** What the address of a trail narrows it down by. */
import { z } from 'zod';
import { badRequest } from '../../../errors.ts';
import { ACTIONS, type Action } from '../../../territory/activity.ts';
import type { ActivityLogFilter } from '../../../territory/activity-log.ts';

/** @throws ServiceError 400 for a day that is none */
export function trailFilter(
  query: URLSearchParams,
  kinds: readonly Action[] = ACTIONS,
): ActivityLogFilter {
  const kind = kinds.find((one) => one === query.get('kind'));
  return {
    brandId: query.get('brand') || undefined,
    actions: kind ? [kind] : kinds,
    actor: query.get('who') || undefined,
    from: dayOf(query.get('from'), 0),
    // Of the last day all is meant.
    until: dayOf(query.get('to'), 1),
  };
}

const DAY_MS = 86_400_000;

/** There is no 31 February, which `Date` takes for a day of March. */
const Day = z.iso.date().regex(/^20/);

/** Days are those of UTC. */
function dayOf(text: string | null, daysLater: number): Date | undefined {
  if (!text) return undefined;
  if (Day.safeParse(text).success) return new Date(Date.parse(text) + daysLater * DAY_MS);
  throw badRequest('A day is written like 2026-11-21.');
}
