/** The days on which territories changed. */
import type { BrandScope } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import { timeZoneOf } from '../../people/account/days/as-of.ts';
import { brandIdsInScope } from '../brands/brands.ts';

export interface ChangedDay {
  /** `2026-03-31`, where the organization is */
  day: string;
  /** Number of ZIP codes that went live in a brand */
  taken: number;
  /** Number of live ZIP codes that a brand lost */
  givenUp: number;
}

/** Largest number of days in a list: more than ten years in which something changes every working day */
export const MAX_DAYS = 3_000;

/** Returns the days on which live ZIP codes of the brands within the scope changed, the latest first. */
export async function changedDays(tenant: Tenant, scope: BrandScope): Promise<ChangedDay[]> {
  return tenant.query<ChangedDay & Record<string, unknown>>(
    `select to_char(at at time zone $3, 'YYYY-MM-DD') as day,
       count(*) filter (where taken)::int as taken, count(*) filter (where not taken)::int as "givenUp"
     from (
       select held_from as at, true as taken from holdings
       where organization_id = $1 and state = 'live' and ($2::uuid[] is null or brand_id = any($2))
       union all
       select held_until, false from holdings
       where organization_id = $1 and state = 'live' and held_until is not null
         and ($2::uuid[] is null or brand_id = any($2))) changes
     group by day order by day desc limit ${MAX_DAYS}`,
    [brandIdsInScope(scope), await timeZoneOf(tenant)],
  );
}
