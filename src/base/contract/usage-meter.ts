/** The meter of monthly units. Several operations, a tool, and an error use it. */
import { z } from 'zod';

const quantity = z.int().nonnegative();

export const UsageMeter = z
  .object({
    period: z
      .string()
      .regex(/^\d{4}-\d\d$/)
      .meta({ description: 'Month in UTC' }),
    unitsIncluded: quantity.meta({ description: 'Units per month in the subscription' }),
    unitsUsed: quantity.meta({
      description: 'Includes calls in progress; their units are returned if they fail',
    }),
    unitsRemaining: quantity,
    resetsAt: z.iso.datetime().meta({ description: 'Start of the next month' }),
  })
  .meta({
    id: 'UsageMeter',
    description: 'An organization’s use of its monthly units',
    examples: [
      {
        period: '2026-08',
        unitsIncluded: 1000,
        unitsUsed: 1000,
        unitsRemaining: 0,
        resetsAt: '2026-09-01T00:00:00.000Z',
      },
    ],
  });
