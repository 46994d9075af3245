/** Tells people of terms that end, once before and once at the end, and ends holdings if that was chosen. */
import { SERVICE } from '../../../people/account/caller.ts';
import { tenantOf, type TenantTransaction } from '../../../people/account/tenant.ts';
import type { Database } from '../../../base/db/database.ts';
import { addDays, formatDay, startOfDay } from '../../../base/text/days.ts';
import { timeZoneOf } from '../../../people/account/days/as-of.ts';
import { eventBrand, eventZips } from '../../../people/events/catalog.ts';
import { recordEvent } from '../../../people/events/events.ts';
import { lockBrands, type Brand } from '../brands.ts';
import { endsBefore } from '../groups/terms-conditions.ts';
import { BRAND_JSON } from '../named-brands.ts';
import { removeZips } from '../remove.ts';
import type { AtEnd } from './terms.ts';

/** How long before the end people are told */
export const TOLD_BEFORE_DAYS = 90;

/** Today where the organization `o` is */
const TODAY = `(now() at time zone o.time_zone)::date`;

/** Terms `t` of organization `o`, in force and of a live ZIP code, whose end is near or has come */
const DUE = `holding_terms t join organizations o on o.id = t.organization_id
  join brand_zips bz on bz.brand_id = t.brand_id and bz.zip = t.zip and bz.state = 'live'
  where t.replaced_at is null and t.ended_at is null
    and (t.ends_on < ${TODAY} or (t.told_at is null and t.ends_on <= ${TODAY} + ${TOLD_BEFORE_DAYS}))`;

/**
 * After a downtime, changes of earlier days still take what brands held then. Making them live ends the terms before
 * (`endHoldings`), so other terms that have ended wait for them.
 */
const WAITS = `(t.ends_on < ${TODAY} and exists (
  select from changes c
  where c.organization_id = t.organization_id and c.status = 'scheduled' and c.due_at <= now()))`;

interface DueBrand {
  organizationId: string;
  brand: Brand;
}

/** Returns the brands that `keepTermsOf` has something to do for. */
export const brandsWithDueTerms = (db: Database): Promise<DueBrand[]> =>
  db.query<DueBrand & Record<string, unknown>>(
    `select distinct due.organization_id as "organizationId", ${BRAND_JSON} as brand
     from (select t.organization_id, t.brand_id from ${DUE}
       -- An index finds those that no time zone can make due.
       and t.ends_on <= current_date + ${TOLD_BEFORE_DAYS + 1}
       and not ${WAITS}) due
     join brands b on b.id = due.brand_id`,
  );

/**
 * Several processes may do this at once, or again after a crash: what is done isn't due any more.
 * @param before only terms that end before this day. Default: all
 */
export const keepTermsOf = (
  db: Database,
  { organizationId, brand }: DueBrand,
  before: string | null = null,
): Promise<void> =>
  tenantOf(db, organizationId).transaction(async (tx) => {
    lockBrands(tx, [brand.id]);
    for (const due of await dueTerms(tx, brand, before)) await keep(tx, brand, due);
  });

/** Ends holdings whose term ends before a day that has begun, so that others can get their ZIP codes then. */
export async function endHoldings(
  db: Database,
  organizationId: string,
  day: string,
): Promise<void> {
  const brands = await tenantOf(db, organizationId).query<{ brand: Brand }>(
    `select distinct ${BRAND_JSON} as brand
     from holding_terms t
     join brand_zips bz on bz.brand_id = t.brand_id and bz.zip = t.zip and bz.state = 'live'
     join brands b on b.id = t.brand_id
     where t.organization_id = $1 and bz.organization_id = $1 and ${endsBefore('$2::date')}`,
    [day],
  );
  for (const { brand } of brands) await keepTermsOf(db, { organizationId, brand }, day);
}

interface DueTerms {
  zips: string[];
  endsOn: string;
  atEnd: AtEnd;
  /** Whether the end has come */
  isOver: boolean;
}

/** Returns the due terms of a brand, those with the same end together. */
const dueTerms = (
  tx: TenantTransaction,
  { id }: Brand,
  before: string | null,
): Promise<DueTerms[]> =>
  tx.query<DueTerms & Record<string, unknown>>(
    `select array_agg(t.zip order by t.zip) as zips, to_char(t.ends_on, 'YYYY-MM-DD') as "endsOn", t.at_end as "atEnd",
       t.ends_on < ${TODAY} as "isOver"
     from ${DUE} and t.organization_id = $1 and t.brand_id = $2
       and case when $3::date is null then not ${WAITS} else t.ends_on < $3 end
     group by t.ends_on, t.at_end, o.time_zone order by t.ends_on, t.at_end`,
    [id, before],
  );

async function keep(tx: TenantTransaction, brand: Brand, due: DueTerms): Promise<void> {
  const { zips, endsOn, atEnd, isOver } = due;
  const about = { brand: eventBrand(brand), ...eventZips(zips), endsOn, atEnd };
  tx.defer(
    `update holding_terms set told_at = coalesce(told_at, now()), ended_at = case when $4 then now() end
     where organization_id = $1 and brand_id = $2 and zip = any($3) and replaced_at is null`,
    [brand.id, zips, isOver],
  );
  if (!isOver) {
    recordEvent(tx, { type: 'territory.term_ending', brandId: brand.id, data: about });
    return;
  }
  recordEvent(tx, { type: 'territory.term_ended', brandId: brand.id, data: about });
  if (atEnd !== 'ends') return;
  // At the end of the last day, even if the service was down then.
  const moment = startOfDay(addDays(endsOn, 1), await timeZoneOf(tx));
  tx.defer(`select set_config('territory.moment', $2, true), $1::uuid`, [moment.toISOString()]);
  const reason = `The term ended on ${formatDay(endsOn)}.`;
  await removeZips(tx, SERVICE, brand, { zips, reason, isAnyNumber: true });
  tx.defer(`select set_config('territory.moment', '', true), $1::uuid`);
}
