/** Structured contents that every tool may return instead of its own. */
import { z } from 'zod';

/** The structured content of a failed call */
export const ToolFailure = z.object({
  code: z.string(),
  error: z.string(),
});

/** The structured content of a write without `confirm`, which changed nothing */
export const ToolPreview = z.object({
  status: z.literal('preview').describe('If confirm is missing'),
  /** For clients that branch on it, as they did when a preview was a failure */
  code: z.literal('confirmation_required'),
  /** Has a `refusal` if the caller may not make the change */
  preview: z.looseObject({ refusal: z.string().optional() }).describe('What would change'),
  /** Fields to add to the same input. Absent if the change would be refused */
  confirmWith: z.object({ confirm: z.literal(true) }).optional(),
});
