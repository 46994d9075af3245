/** The meter of ZIP codes with figures. Several operations, a tool, and an error use it. */
import { z } from 'zod';

const quantity = z.int().nonnegative();

export const FiguresMeter = z
  .object({
    period: z
      .string()
      .regex(/^\d{4}-\d\d$/)
      .meta({ description: 'Month in UTC' }),
    zipsIncluded: quantity
      .nullable()
      .meta({ description: 'ZIP codes per month in the subscription; null: the whole country' }),
    zipsSeen: quantity.meta({
      description: 'Different ZIP codes whose figures were returned; not counted without a limit',
    }),
    zipsRemaining: quantity.nullable(),
    resetsAt: z.iso.datetime().meta({ description: 'Start of the next month' }),
  })
  .meta({
    id: 'FiguresMeter',
    description:
      'The ZIP codes whose census figures or scores an organization saw this month. Each counts once.',
    examples: [
      {
        period: '2026-08',
        zipsIncluded: 2500,
        zipsSeen: 2480,
        zipsRemaining: 20,
        resetsAt: '2026-09-01T00:00:00.000Z',
      },
    ],
  });
