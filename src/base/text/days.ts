/** Days in a time zone: `2026-11-30` is a day, and the moment at which it begins depends on the place. */

/** The time zones of the United States, by IANA name */
export const TIME_ZONES: Readonly<Record<string, string>> = {
  'America/New_York': 'Eastern Time',
  'America/Chicago': 'Central Time',
  'America/Denver': 'Mountain Time',
  'America/Phoenix': 'Arizona',
  'America/Los_Angeles': 'Pacific Time',
  'America/Anchorage': 'Alaska',
  'Pacific/Honolulu': 'Hawaii',
  'America/Puerto_Rico': 'Puerto Rico',
  'Pacific/Guam': 'Guam',
};

const DAY_MS = 86_400_000;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Whether a text is a day of the calendar, such as `2026-11-30`. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
}

/** Returns a moment with its offset from UTC, such as `2026-11-30T09:00:00-05:00`; null for any other text. */
export function parseMoment(text: string): Date | null {
  if (!MOMENT.test(text) || !isDay(text.slice(0, 10))) return null;
  const parsed = new Date(text);
  return Number.isNaN(parsed.getTime()) ? null : parsed;
}

/** Returns the day in a time zone at a moment. @param timeZone IANA name */
export function dayAt(moment: Date, timeZone: string): string {
  return localTime(moment, timeZone).toISOString().slice(0, 10);
}

/** Returns the first moment of a day in a time zone. */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The offset near midnight decides. It differs between the two guesses only if clocks change in between.
  const guesses = [-DAY_MS, DAY_MS].map(
    (away) => midnight - offsetMs(new Date(midnight + away), timeZone),
  );
  const first = Math.min(...guesses);
  // Where clocks skip midnight, the day begins later.
  return new Date(dayAt(new Date(first), timeZone) === day ? first : Math.max(...guesses));
}

/** Returns the last millisecond of a day in a time zone. */
export const endOfDay = (day: string, timeZone: string): Date =>
  new Date(startOfDay(addDays(day, 1), timeZone).getTime() - 1);

/** Returns the day a number of days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Returns the difference in days. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);

const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** `November 30, 2026` */
export const formatDay = (day: string): string => longDay.format(new Date(`${day}T00:00:00Z`));

/** Milliseconds by which the clocks of a time zone are ahead of UTC */
const offsetMs = (moment: Date, timeZone: string): number =>
  localTime(moment, timeZone).getTime() - Math.floor(moment.getTime() / 1000) * 1000;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns what the clocks show, to the second, as if it were UTC. */
function localTime(moment: Date, timeZone: string): Date {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    clocks.set(timeZone, clock);
  }
  const parts = Object.fromEntries(
    clock.formatToParts(moment).map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second } = parts;
  return new Date(`${year!.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
