/** Times in the input of tools. They may be a number of days ago, because a model may not know today's date. */
import { z } from 'zod';
import { truncate } from '../../../base/text/words.ts';

const DAY_MS = 86_400_000;

const Day = z.iso.date().regex(/^20/);
const Time = z.iso.datetime({ offset: true }).regex(/^20/);

/** Returns a field for a time. @param ofDay whether a day means its start or its end in UTC */
export const moment = (ofDay: 'start' | 'end') =>
  z
    .string()
    .max(40)
    .refine((text) => parseMoment(text.trim(), ofDay), {
      error: ({ input }) =>
        `${truncate(JSON.stringify(input), 40)} is not a time; use a day such as 2026-11-16, a time such ` +
        'as 2026-11-16T09:00:00Z, or days ago such as 7d',
    })
    .transform((text) => parseMoment(text.trim(), ofDay)!);

function parseMoment(text: string, ofDay: 'start' | 'end'): Date | null {
  const daysAgo = /^(\d{1,4}) ?d(ays?)?$/i.exec(text)?.[1];
  if (daysAgo !== undefined) return new Date(Date.now() - Number(daysAgo) * DAY_MS);
  if (Day.safeParse(text).success) {
    return new Date(Date.parse(text) + (ofDay === 'end' ? DAY_MS : 0));
  }
  return Time.safeParse(text).success ? new Date(text) : null;
}
