/** Shared schemas. `meta.id` is the name in the OpenAPI document. */
import { z } from 'zod';
import { exampleOf } from './resources.ts';
import { FiguresMeter } from './figures-meter.ts';
import { UsageMeter } from './usage-meter.ts';

export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'The problem and the next step, for people' }),
    code: z.string().optional().meta({ description: 'The error code, for programs' }),
  })
  .meta({ id: 'Error', description: 'The error object of every REST endpoint' });

export const QuotaError = ErrorBody.extend({
  usage: UsageMeter.optional().meta({
    description: 'The meter, if the code is `usage_quota_exceeded` or `subscription_required`',
  }),
  figures: FiguresMeter.optional().meta({
    description: 'The meter, if the code is `zip_limit_exceeded`',
  }),
}).meta({
  id: 'QuotaError',
  description: 'An error with the usage meter',
  examples: [
    {
      error: 'All 1,000 units of this month are used.',
      code: 'usage_quota_exceeded',
      usage: exampleOf(UsageMeter),
    },
  ],
});

export const HealthStatus = z
  .object({
    status: z.enum(['ok', 'degraded']),
    progress: z
      .object({
        stage: z.string().describe('What the service does now'),
        percent: z.int().min(0).max(100).nullable().describe('Share of the stage that is done'),
      })
      .optional()
      .describe('How far the start is. Present until the service is ready'),
  })
  .meta({ id: 'HealthStatus' });

/** The schema of an error body, by status. */
export const errorBodyOf = (status: number) => (status === 402 ? QuotaError : ErrorBody);
