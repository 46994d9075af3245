/** Schemas that every part of the contract shares. `meta.id` is the name in the OpenAPI document. */
import { z } from 'zod';
import { exampleOf } from './resources.ts';
import { UsageMeter } from './usage-meter.ts';

export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'What was wrong, for people' }),
    code: z.string().optional().meta({ description: 'The same for programs, where one exists' }),
  })
  .meta({ id: 'Error', description: 'Every REST error' });

export const QuotaError = ErrorBody.extend({
  usage: UsageMeter.optional().meta({
    description: 'Where the meter stands, where the code is `usage_quota_exceeded`',
  }),
}).meta({
  id: 'QuotaError',
  description: 'An Error that tells how much has been used',
  examples: [
    {
      error: 'The 1,000 units of this month are used up.',
      code: 'usage_quota_exceeded',
      usage: exampleOf(UsageMeter),
    },
  ],
});

export const HealthStatus = z
  .object({ status: z.enum(['ok', 'degraded']) })
  .meta({ id: 'HealthStatus' });

/** What a failure of a status is told with. */
export const errorBodyOf = (status: number) => (status === 402 ? QuotaError : ErrorBody);
