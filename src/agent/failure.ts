/** What a failed call answers as its structured content, whatever the tool. */
import { z } from 'zod';

export const ToolFailure = z.object({
  code: z.string(),
  error: z.string(),
  /** Of a write without `confirm`: what would change */
  preview: z.looseObject({}).optional(),
});
