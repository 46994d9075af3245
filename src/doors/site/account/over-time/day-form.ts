/** Asks a page for an earlier day, and says which day it shows. */
import type { Caller } from '../../../../people/account/caller.ts';
import { callerAsOf, momentWords, recordedDays } from '../../../../people/account/days/as-of.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';

/** The day that a page shows */
export interface ShownDay {
  /** As the address names it; undefined for today */
  asOf: string | undefined;
  /** In words; null for today */
  words: string | null;
  /** `2026-03-31`; today's for today */
  day: string;
  /** The first day of the record, and today */
  first: string;
  today: string;
}

/**
 * Returns the caller with territories of the day that a query names, and that day.
 * @throws ServiceError 400 as `callerAsOf`
 */
export async function readDay(
  caller: Caller,
  query: Pick<URLSearchParams, 'get'>,
): Promise<{ caller: Caller; shown: ShownDay }> {
  const asked = query.get('asOf') || undefined;
  const then = await callerAsOf(caller, asked);
  const [past, { first, today }] = await Promise.all([
    momentWords(then.tenant),
    recordedDays(caller.tenant),
  ]);
  const asOf = past ? asked : undefined;
  return {
    caller: then,
    shown: { asOf, words: past?.words ?? null, day: past?.day ?? today, first, today },
  };
}

/** Why nobody can change a territory of an earlier day */
export const PAST_REFUSAL =
  'This is the territory of an earlier day. Only that of today can be changed.';

/** @param path of the page */
export const dayForm = (path: string, { day, first, today }: ShownDay, links: Links): Html =>
  html`<form method="get" action="${links.page(path)}" class="filters">
    <div>
      <label for="as-of">Territory at the end of</label>
      <input
        id="as-of"
        type="date"
        name="asOf"
        value="${day}"
        min="${first}"
        max="${today}"
        required
      />
    </div>
    <div class="filters-do"><button class="quiet-button">Show</button></div>
  </form>`;

/** Says at the top of a page that it shows an earlier day. */
export const pastNotice = (path: string, { words }: ShownDay, links: Links): Html | false =>
  words !== null &&
  html`<p class="notice" role="status">
    As of ${words}. <a href="${links.page(path)}">Show today</a>
  </p>`;

/** Keeps the day in a form. */
export const dayField = ({ asOf }: Pick<ShownDay, 'asOf'>): Html | false =>
  asOf !== undefined && html`<input type="hidden" name="asOf" value="${asOf}" />`;

/** Adds the day to an address that has no query. */
export const onDay = (address: string, { asOf }: Pick<ShownDay, 'asOf'>): string =>
  asOf === undefined ? address : `${address}?asOf=${encodeURIComponent(asOf)}`;
