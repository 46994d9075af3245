/** Formats percentages, medians, and dates for pages. */
import { formatCount, formatTenths } from '../../base/text/words.ts';

const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const dateAndTime = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** @param part from 0 to 1 */
export const percent = (part: number) => `${formatCount(100 * part)}%`;

/** Most medians are whole numbers. Only the others get a decimal. */
export const median = (value: number | null) =>
  value === null || Number.isInteger(value) ? formatCount(value) : formatTenths(value);

/** @param at a time, or its ISO 8601 text */
export const day = (at: Date | string) => longDay.format(new Date(at));

/** `Nov 21, 2026, 9:52 AM UTC` */
export const minute = (at: Date) => `${dateAndTime.format(at)} UTC`;

/** `Dallas, TX` → `Dallas` */
export const cityOf = (metroLabel: string) => metroLabel.replace(/, [A-Z]{2}$/, '');
