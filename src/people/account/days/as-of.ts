/** Days of an organization, and its territories as of one. */
import { dayAt, endOfDay, formatDay, isDay, parseMoment } from '../../../base/text/days.ts';
import { badRequest } from '../../../errors.ts';
import type { Caller } from '../caller.ts';
import type { Tenant } from '../tenant.ts';

/** Returns the organization's time zone, an IANA name. */
export async function timeZoneOf(tenant: Tenant): Promise<string> {
  return (await calendarOf(tenant)).timeZone;
}

interface Calendar {
  timeZone: string;
  /** When the organization was created. Its record begins then. */
  begins: Date;
}

async function calendarOf(tenant: Tenant): Promise<Calendar> {
  const [row] = await tenant.query<Calendar & Record<string, unknown>>(
    `select time_zone as "timeZone", created_at as begins from organizations where id = $1`,
  );
  return row!;
}

/** Returns the day of a moment where the organization is. */
export const dayOf = async (tenant: Tenant, moment: Date): Promise<string> =>
  dayAt(moment, await timeZoneOf(tenant));

/** Returns the moment at which the record begins: that of the organization's creation. */
export const recordBegins = async (tenant: Tenant): Promise<Date> =>
  (await calendarOf(tenant)).begins;

/** Returns the first day that the record knows, and today. */
export async function recordedDays(tenant: Tenant): Promise<{ first: string; today: string }> {
  const { timeZone, begins } = await calendarOf(tenant);
  return { first: dayAt(begins, timeZone), today: dayAt(new Date(), timeZone) };
}

/**
 * Returns the moment that a text means: the end of a day where the organization is, so that the day's changes count.
 * Null for today, which isn't over: territories as they are.
 * @param text a day or a moment
 * @throws ServiceError 400 for another text, the future, and days before the organization's record
 */
export async function momentAsOf(tenant: Tenant, text: string): Promise<Date | null> {
  const { timeZone, begins } = await calendarOf(tenant);
  const now = new Date();
  const today = dayAt(now, timeZone);
  const first = dayAt(begins, timeZone);
  const moment = isDay(text) ? endOfDay(text, timeZone) : parseMoment(text);
  if (!moment) {
    throw badRequest(
      `"${text}" is not a day or a moment. Use a day such as ${today}, or a moment such as ${now.toISOString()}.`,
    );
  }
  const day = dayAt(moment, timeZone);
  if (day > today || (!isDay(text) && moment > now)) {
    throw badRequest(
      `${isDay(text) ? formatDay(text) : text} is in the future. Ask for today, ${today}, or an earlier day.`,
    );
  }
  if (day < first) {
    throw badRequest(
      `The record of your territories begins on ${formatDay(first)}. Ask for ${first} or a later day.`,
    );
  }
  return moment > now ? null : moment;
}

/** Returns the caller with territories as of a day or a moment, or as they are. @throws ServiceError as `momentAsOf` */
export async function callerAsOf<Asking extends Pick<Caller, 'tenant'>>(
  caller: Asking,
  asOf: string | undefined,
): Promise<Asking> {
  const moment = asOf === undefined ? null : await momentAsOf(caller.tenant, asOf);
  return moment ? { ...caller, tenant: caller.tenant.asOf(moment) } : caller;
}

interface MomentWords {
  /** `2026-03-31` */
  day: string;
  /** Whether it is the end of the day */
  isWholeDay: boolean;
  words: string;
}

/**
 * Returns words for the moment as of which a tenant reads: `March 31, 2026` for the end of a day, or the time in UTC; null
 * for territories as they are.
 */
export async function momentWords(tenant: Tenant): Promise<MomentWords | null> {
  const { moment } = tenant;
  if (!moment) return null;
  const timeZone = await timeZoneOf(tenant);
  const day = dayAt(moment, timeZone);
  const isWholeDay = moment.getTime() === endOfDay(day, timeZone).getTime();
  return { day, isWholeDay, words: isWholeDay ? formatDay(day) : moment.toISOString() };
}
