/** Operations that no document lists: the site's pages, forms, and files, and the OAuth endpoints. */
import { z } from 'zod';
import type { Operation } from '../../base/contract/operation.ts';

/** The fields that all of these operations share. Path parameters are strings. */
export function unlisted<Method extends Operation['method']>(method: Method, path: string) {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
  return {
    id: `${method} ${path}`,
    method,
    path,
    tag: 'Site',
    summary: path,
    description: path,
    auth: 'none',
    params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
  } as const;
}

/** Accepts any query string: pages read their own parameters. */
export const ANY_QUERY = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string())]),
) as unknown as z.ZodObject;
