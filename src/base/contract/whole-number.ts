/** Whole numbers in paths and queries, which arrive as text. */
import { z } from 'zod';
import { readWholeNumber } from '../text/whole-number.ts';

export function wholeNumber(
  min: number,
  max: number,
  message = `must be a whole number from ${min} to ${max}`,
) {
  return z
    .string({ error: message })
    .transform((text, ctx) => {
      const value = readWholeNumber(text, min, max);
      if (value !== undefined) return value;
      ctx.addIssue(message);
      return z.NEVER;
    })
    .meta({ type: 'integer', minimum: min, maximum: max });
}
