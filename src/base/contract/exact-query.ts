/** Query parameters that must be known, so that a misspelled one isn't silently ignored. */
import { z } from 'zod';

/** Like `z.object`, but refuses unknown parameters and lists the known ones. */
export const exactQuery = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown ${issue.keys.length === 1 ? 'parameter' : 'parameters'} ${issue.keys.join(', ')}; ${Object.keys(shape).length > 0 ? `use ${Object.keys(shape).join(', ')}` : 'this operation takes no query parameters'}`
        : undefined,
  });

/** The error of a parameter that accepts only a few values. */
export const oneOf = (values: readonly string[]) => ({
  error: `must be one of ${values.join(', ')}`,
});
