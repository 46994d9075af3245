/** What the address of a trail narrows it down by. */
import { badRequest } from '../../../errors.ts';
import { ACTIONS, type Action } from '../../../territory/activity.ts';
import type { TrailFilter } from '../../../territory/trail.ts';

/** @throws ServiceError 400 for a day that is none */
export function trailFilter(
  query: URLSearchParams,
  kinds: readonly Action[] = ACTIONS,
): TrailFilter {
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

function dayOf(text: string | null, daysLater: number): Date | undefined {
  if (!text) return undefined;
  const day = /^20\d\d-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(day)) return new Date(day + daysLater * DAY_MS);
  throw badRequest('A day is written like 2026-11-21.');
}
