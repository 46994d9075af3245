/** What a member wants to be told by email, and when. */
import { beginDaysIn } from '../../people/account/review-settings.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import { TIME_ZONES } from '../../base/text/days.ts';
import { badRequest } from '../../errors.ts';
import { scheduleEmails } from './due-emails.ts';
import { CHOICES, type Choice, type TopicName } from './topics.ts';
import { USUAL_CHOICES, USUAL_DIGEST_HOUR } from './usual-settings.ts';

export interface NotificationSettings {
  /** Null if the member hasn't chosen one */
  timeZone: string | null;
  /** When the daily email is sent, 0 to 23 */
  digestHour: number;
  choices: Record<TopicName, Choice>;
}

export async function settingsOf(tenant: Tenant, personId: string): Promise<NotificationSettings> {
  const [row] = await tenant.query<NotificationSettings>(
    `select time_zone as "timeZone", digest_hour as "digestHour", choices
     from notification_settings where organization_id = $1 and person_id = $2`,
    [personId],
  );
  const { timeZone = null, digestHour = USUAL_DIGEST_HOUR, choices } = row ?? {};
  return { timeZone, digestHour, choices: { ...USUAL_CHOICES, ...choices } };
}

/** Whether the daily email of a member needs a time zone */
export async function lacksTimeZone(tenant: Tenant, personId: string): Promise<boolean> {
  const chosen = await tenant.query(
    `select from notification_settings
     where organization_id = $1 and person_id = $2 and time_zone is not null`,
    [personId],
  );
  return chosen.length === 0;
}

/**
 * Saves the time zone of a member's browser, unless the member has one. Names that PostgreSQL doesn't know are ignored,
 * because it computes when the daily email is due. The first one of an organization is that in which its own days begin,
 * too, until someone chooses another one.
 */
export async function rememberTimeZone(
  tenant: Tenant,
  personId: string,
  timeZone: string,
): Promise<void> {
  const known = await tenant.query(
    'select from notification_settings where organization_id = $1 and time_zone is not null limit 1',
  );
  if (known.length === 0) await beginDaysIn(tenant, timeZone);
  await tenant.query(
    `insert into notification_settings as kept (organization_id, person_id, time_zone)
     select $1, $2, name from pg_timezone_names where name = $3
     on conflict (organization_id, person_id) do update
       set time_zone = coalesce(kept.time_zone, excluded.time_zone)`,
    [personId, timeZone],
  );
  await scheduleEmails(tenant, [personId]);
}

/**
 * Saves the given settings and keeps the others.
 * @throws ServiceError 400 for a time zone, hour, or choice that doesn't exist
 */
export async function changeSettings(
  tenant: Tenant,
  personId: string,
  {
    timeZone,
    digestHour,
    choices = {},
  }: Partial<Omit<NotificationSettings, 'choices'>> & {
    choices?: Partial<Record<TopicName, Choice>>;
  },
): Promise<void> {
  if (timeZone && !Object.hasOwn(TIME_ZONES, timeZone)) {
    // The browser’s own may be another one.
    const { timeZone: current } = await settingsOf(tenant, personId);
    if (timeZone !== current) throw badRequest('Choose one of the time zones in the list.');
  }
  const isHour = (hour: number) => Number.isInteger(hour) && hour >= 0 && hour <= 23;
  if (digestHour !== undefined && !isHour(digestHour)) {
    throw badRequest('Choose a full hour for the daily email.');
  }
  if (!Object.values(choices).every((choice) => CHOICES.includes(choice))) {
    throw badRequest('Choose at once, daily, or never for each topic.');
  }
  await tenant.query(
    `insert into notification_settings as kept
       (organization_id, person_id, time_zone, digest_hour, choices)
     values ($1, $2, $3, coalesce($4, ${USUAL_DIGEST_HOUR}), $5)
     on conflict (organization_id, person_id) do update set
       time_zone = coalesce($3, kept.time_zone),
       digest_hour = coalesce($4, kept.digest_hour),
       choices = kept.choices || excluded.choices`,
    [personId, timeZone ?? null, digestHour ?? null, JSON.stringify(choices)],
  );
  // If this fails, emails come as chosen before, except for a stopped topic: the writer of the email looks again.
  await scheduleEmails(tenant, [personId]);
}
