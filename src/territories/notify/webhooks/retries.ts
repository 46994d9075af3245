/** When a failed delivery is tried again: the schedule that the Standard Webhooks specification recommends. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds after each failed attempt. In total, three days and four hours */
export const RETRY_SECONDS: readonly number[] = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Longest wait that a receiver can ask for */
const MAX_RETRY_AFTER = 24 * HOUR;
/** Spreads the retries of deliveries that failed together */
const JITTER = 0.1;

/**
 * Returns the seconds until the next attempt; null after the last one.
 * @param attempts the number of failed attempts
 * @param retryAfter the seconds that the receiver asked for. They only make the wait longer
 */
export function secondsToRetry(
  attempts: number,
  retryAfter: number | null,
  schedule = RETRY_SECONDS,
): number | null {
  const seconds = schedule[attempts - 1];
  if (seconds === undefined) return null;
  const asked = Math.min(retryAfter ?? 0, MAX_RETRY_AFTER);
  return Math.max(seconds * (1 + JITTER * Math.random()), asked);
}

/** Returns the seconds in a `Retry-After` header, which are a number or a date; null if it has neither. */
export function parseRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max((at - Date.now()) / 1000, 0);
}
