/** Structured contents that any tool may return instead of its own. */
import { z } from 'zod';

/** The structured content of a write without `confirm`, which changed nothing */
export const ToolPreview = z.object({
  status: z.literal('preview').describe('If confirm is missing'),
  /** For older clients, because a preview used to be a failure with this code */
  code: z.literal('confirmation_required'),
  /** Contains a `refusal` if the caller may not make the change */
  preview: z.looseObject({ refusal: z.string().optional() }).describe('What would change'),
  /** Fields to add to the same input. Missing if the change would be refused */
  confirmWith: z.object({ confirm: z.literal(true) }).optional(),
});
