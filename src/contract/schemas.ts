/** Schemas that every part of the contract shares. `meta.id` is the name in the OpenAPI document. */
import { z } from 'zod';

export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'What was wrong, for people' }),
    code: z.string().optional().meta({ description: 'The same for programs, where one exists' }),
  })
  .meta({ id: 'Error', description: 'Every REST error' });

export const HealthStatus = z
  .object({ status: z.enum(['ok', 'degraded']) })
  .meta({ id: 'HealthStatus' });
