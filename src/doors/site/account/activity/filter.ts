/** The filter of the activity log, read from the page's address. */
import { z } from 'zod';
import { badRequest } from '../../../../errors.ts';
import { ACTIONS, type Action } from '../../../../people/account/activity.ts';
import type { ActivityFilter } from '../../../../territories/brands/activity.ts';

/**
 * @param kinds the actions to choose from
 * @throws ServiceError 400 for an invalid day
 */
export function readActivityLogFilter(
  query: URLSearchParams,
  kinds: readonly Action[] = ACTIONS,
): ActivityFilter {
  const kind = kinds.find((one) => one === query.get('kind'));
  return {
    brandId: query.get('brand') || undefined,
    actions: kind ? [kind] : kinds,
    actor: query.get('who') || undefined,
    from: readDay(query.get('from'), 0),
    // The range includes the last day.
    until: readDay(query.get('to'), 1),
  };
}

const DAY_MS = 86_400_000;

/** `Date` alone would interpret February 31 as a day in March. */
const Day = z.iso.date().regex(/^20/);

/** @returns the start of the UTC day, plus some days */
function readDay(text: string | null, daysLater: number): Date | undefined {
  if (!text) return undefined;
  if (Day.safeParse(text).success) return new Date(Date.parse(text) + daysLater * DAY_MS);
  throw badRequest('Enter a day as YYYY-MM-DD, such as 2026-11-21.');
}
