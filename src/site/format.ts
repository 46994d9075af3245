/** Numbers and days as pages write them. */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const toTheMinute = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** What stands where a figure is unknown. */
const UNKNOWN = '–';

export const count = (value: number | null) => (value === null ? UNKNOWN : whole.format(value));

/** An average of scores. */
export const average = (value: number | null) =>
  value === null ? UNKNOWN : oneDecimal.format(value);

/** @param part 0..1 */
export const percent = (part: number) => `${whole.format(100 * part)} %`;

/** Whole numbers are told as such, since most medians are. */
export const median = (value: number | null) =>
  value === null || Number.isInteger(value) ? count(value) : average(value);

/** @param iso ISO 8601 */
export const day = (iso: string) => longDay.format(new Date(iso));

/** `Nov 21, 2026, 9:52 AM UTC` @param iso ISO 8601 */
export const minute = (iso: string) => `${toTheMinute.format(new Date(iso))} UTC`;

/** `Dallas` of `Dallas, TX` */
export const cityOf = (metroLabel: string) => metroLabel.replace(/, [A-Z]{2}$/, '');

/** `roofing, gutters and HVAC` */
export const listed = (words: readonly string[]) =>
  new Intl.ListFormat('en-US', { type: 'conjunction' }).format(words);
