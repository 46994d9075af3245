import { z } from 'zod';

/** Structured content of a failed call of any tool. */
export const ToolFailure = z.object({
  code: z.string(),
  error: z.string(),
  /** For a write without `confirm`: what would change */
  preview: z.looseObject({}).optional(),
});
