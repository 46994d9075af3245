/**
 * Copy buttons of the account area, times in the browser’s time zone, and that time zone, in which the daily email is
 * sent. The pages work without them: times are then in UTC and say so.
 */
import { showCopyButtons } from '../browser/copy.ts';
import { findAll } from '../browser/dom.ts';

showCopyButtons();

const FORMATS = {
  minute: new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }),
  day: new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }),
};
/** A day that starts at midnight UTC is one of the calendar, such as the first of a month. */
const CALENDAR_DAY = /T00:00:00(\.000)?Z$/;

for (const time of findAll('time[data-local]', HTMLTimeElement)) {
  const precision = time.dataset['local'] as keyof typeof FORMATS;
  if (precision === 'day' && CALENDAR_DAY.test(time.dateTime)) continue;
  time.textContent = FORMATS[precision].format(new Date(time.dateTime));
}

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
const day = 86_400;
document.cookie = `time-zone=${timeZone}; Path=/; Max-Age=${30 * day}; SameSite=Lax`;
