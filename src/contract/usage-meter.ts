/** The contract's meter of units, which several operations, a tool and an error answer with. */
import { z } from 'zod';

const quantity = z.int().nonnegative();

export const UsageMeter = z
  .object({
    period: z
      .string()
      .regex(/^\d{4}-\d\d$/)
      .meta({ description: 'The month, UTC' }),
    unitsIncluded: quantity.meta({ description: 'In the plan, a month' }),
    unitsUsed: quantity.meta({
      description: 'Those of calls under way too: they come back where a call fails',
    }),
    unitsRemaining: quantity,
    resetsAt: z.iso.datetime().meta({ description: 'When the next month begins' }),
  })
  .meta({
    id: 'UsageMeter',
    description: 'What an organisation has used of its monthly units',
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
