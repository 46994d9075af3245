/** The days on which changes go live. */
import type { Tenant } from '../../../people/account/tenant.ts';
import { badRequest } from '../../../errors.ts';
import { formatDay } from '../groups/refusal-words.ts';

/** A day to come, which begins where the organization is */
export interface ChangeDay {
  /** `2027-01-01` */
  day: string;
  /** The start of that day in the organization's time zone */
  at: Date;
}

/** Changes are planned at most for so many years ahead, so that a mistyped year is noticed. */
const MAX_YEARS = 100;

/**
 * Reads the day of a change.
 * @param day `2027-01-01`
 * @throws ServiceError 400 for a malformed day, or one that has begun or is too far ahead
 */
export async function changeDay(tenant: Tenant, day: string): Promise<ChangeDay> {
  if (!isDay(day)) {
    throw badRequest(`"${day}" isn’t a day. Give it as YYYY-MM-DD, such as 2027-01-01.`);
  }
  const [row] = await tenant.query<{
    at: Date;
    hasBegun: boolean;
    isTooFar: boolean;
    zone: string;
  }>(
    `select moment.at, moment.at <= now() as "hasBegun", time_zone as zone,
       moment.at > now() + interval '${MAX_YEARS} years' as "isTooFar"
     from organizations
     cross join lateral (select $2::date::timestamp at time zone time_zone as at) moment
     where id = $1`,
    [day],
  );
  const { at, hasBegun, isTooFar, zone } = row!;
  if (hasBegun) {
    throw badRequest(
      `${formatDay(day)} has begun or has passed (time zone ${zone}). Choose a later day, or give none to change the territories as soon as the change is approved.`,
    );
  }
  if (isTooFar) {
    throw badRequest(
      `${formatDay(day)} is more than ${MAX_YEARS} years ahead. Check the year, or choose an earlier day.`,
    );
  }
  return { day, at };
}

function isDay(day: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return false;
  const read = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().slice(0, 10) === day;
}
