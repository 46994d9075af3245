/** The field that asks for territories of an earlier day. */
import { z } from 'zod';
import { truncate } from '../text/words.ts';
import { isDay, parseMoment } from '../text/days.ts';

/**
 * A day or a moment, checked. What it means depends on the organization's time zone: see
 * `people/account/days/as-of.ts`.
 */
export const asOf = z
  .string()
  .max(40)
  .refine((text) => isDay(text) || parseMoment(text) !== null, {
    error: ({ input }) =>
      `${truncate(JSON.stringify(input), 40)} is not a day or a moment; use a day such as 2026-03-31, or a ` +
      'moment with its offset such as 2026-03-31T17:00:00-05:00',
  })
  .meta({ description: 'A past day (its end) or moment. Default: now', example: '2026-03-31' });
