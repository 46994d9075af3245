/**
 * Counts of what customers ask a locator: ZIP codes by day, without anything about the customers. The ZIP codes that
 * no brand serves are demand.
 */
import type { Tenant } from '../../people/account/tenant.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { placeName } from '../../base/text/words.ts';
import type { Locator } from './locators.ts';

/** More than a year, so that a season can be compared with the last one */
export const COUNTED_DAYS = 400;

export const OLD_QUESTIONS = expiring({
  table: 'locator_questions',
  column: 'day',
  before: `current_date - ${COUNTED_DAYS}`,
});

/** Counts a question about a ZIP code. */
export const countQuestion = (
  tenant: Tenant,
  { id }: Pick<Locator, 'id'>,
  zip: string,
  isServed: boolean,
): Promise<unknown> =>
  tenant.query(
    `insert into locator_questions as asked (organization_id, locator_id, day, zip, is_served)
     values ($1, $2, (now() at time zone 'utc')::date, $3, $4)
     on conflict (locator_id, day, zip, is_served) do update set times = asked.times + 1`,
    [id, zip, isServed],
  );

export interface Asked {
  /** Number of questions */
  asked: number;
  /** Number of those about ZIP codes that no brand served on the day */
  unserved: number;
}

/** Returns the numbers of questions of the last days by the locator's id. Locators without questions are missing. */
export async function countAsked(tenant: Tenant, days = 30): Promise<Map<string, Asked>> {
  const rows = await tenant.query<Asked & { id: string }>(
    `select locator_id as id, sum(times)::int as asked,
       coalesce(sum(times) filter (where not is_served), 0)::int as unserved
     from locator_questions
     where organization_id = $1 and day > (now() at time zone 'utc')::date - $2::int
     group by locator_id`,
    [days],
  );
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** How often customers asked about a ZIP code that no brand served */
export interface UnservedZip {
  zip: string;
  /** `Dallas, TX`; empty if unknown */
  place: string;
  times: number;
  /** The last day, UTC */
  lastDay: string;
}

/** Returns the ZIP codes that no brand served when customers asked about them, the most wanted first. */
export async function unservedZips(
  tenant: Tenant,
  { id }: Pick<Locator, 'id'>,
  limit?: number,
): Promise<UnservedZip[]> {
  const rows = await tenant.query<
    Omit<UnservedZip, 'place'> & { city: string | null; state: string | null }
  >(
    `select zip, coalesce(zips.city, listed.city) as city, coalesce(zips.state, listed.state) as state,
       times, "lastDay"
     from (
       select zip, sum(times)::int as times, max(day)::text as "lastDay" from locator_questions
       where organization_id = $1 and locator_id = $2 and not is_served group by zip
     ) asked
     left join zips using (zip) left join zip_directory listed using (zip)
     order by times desc, "lastDay" desc, zip limit $3`,
    [id, limit ?? null],
  );
  return rows.map(({ city, state, ...row }) => ({ ...row, place: placeName(city, state) }));
}
