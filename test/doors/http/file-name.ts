import type { z } from 'zod';
import type { Operation } from '../../../src/base/contract/operation.ts';

/** The query of a request with a file: an upload that stores it under a name needs one. */
export function nameIn({ file, query }: Operation): string {
  const name = query?.shape['name'] as z.ZodType | undefined;
  return file && name && !name.safeParse(undefined).success ? '?name=Jobs' : '';
}
