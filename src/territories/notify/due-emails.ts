/** When members get their next email about notifications. It's decided when something changes, not when it's read. */
import type { Tenant } from '../../people/account/tenant.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { USUAL_CHOICES, USUAL_DIGEST_HOUR, USUAL_TIME_ZONE } from './usual-settings.ts';

/** An email at once waits until there is quiet for this time, so that a burst becomes one email… */
export const QUIET_SECONDS = 60;
/** …but no longer than this. */
export const MAX_BURST_MINUTES = 10;
/** Older notifications are only in the account, such as those from before the service sent email. */
export const MAX_AGE_DAYS = 3;

/** Rows of a service that sends no email */
export const OLD_DUE_EMAILS = expiring({
  table: 'due_emails',
  column: 'due_at',
  before: `now() - interval '${MAX_AGE_DAYS} days'`,
});

/**
 * SQL for the first time of a daily email from a time on, on the clock of the member. When clocks change, an hour that
 * is skipped comes an hour later, and one that occurs twice counts the second time.
 * @param from SQL for the time. The row has `zone`, and `hour` as an interval
 */
export const nextDaily = (from: string) => `(
  select min(at) from (
    select (date_trunc('day', ${from} at time zone zone) + days * interval '1 day' + hour) at time zone zone as at
    from generate_series(0, 1) as days
  ) times where at >= ${from})`;

/** Decides when the next emails of some members are due, from their unsent notifications and their settings. */
export async function scheduleEmails(tenant: Tenant, personIds: readonly string[]): Promise<void> {
  await tenant.query(
    `with unsent as (
       select n.person_id, n.topic, min(n.created_at) as oldest, max(n.created_at) as newest,
         coalesce(s.choices ->> n.topic, $3::jsonb ->> n.topic) as choice,
         coalesce(s.time_zone, $4) as zone,
         coalesce(s.digest_hour, $5::int) * interval '1 hour' as hour
       from notifications n left join notification_settings s using (organization_id, person_id)
       where n.organization_id = $1 and n.person_id = any($2) and n.email_id is null
         and n.created_at > now() - interval '${MAX_AGE_DAYS} days'
       group by n.person_id, n.topic, s.choices, s.time_zone, s.digest_hour
     ), stopped as (
       delete from due_emails d using unsent
       where d.organization_id = $1 and d.person_id = unsent.person_id and d.topic = unsent.topic
         and choice = 'never'
     )
     insert into due_emails (organization_id, person_id, topic, due_at)
     select $1, person_id, topic, case choice
       when 'now' then least(newest + interval '${QUIET_SECONDS} seconds', oldest + interval '${MAX_BURST_MINUTES} minutes')
       else ${nextDaily('oldest')} end
     from unsent where choice <> 'never'
     order by person_id, topic
     on conflict (organization_id, person_id, topic) do update set due_at = excluded.due_at`,
    [personIds, USUAL_CHOICES, USUAL_TIME_ZONE, USUAL_DIGEST_HOUR],
  );
}
