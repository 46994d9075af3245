/** What lies at the site's root beside the interface: operations that no document of it lists. */
import { z } from 'zod';
import { operation, type Operation } from '../contract/operation.ts';

type Said = 'id' | 'tag' | 'summary' | 'description' | 'auth';

/** @param op its parameters are texts, as its path names them, unless it declares them */
export function siteOperation(op: Omit<Operation, Said>): Operation {
  const { method, path } = op;
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
  return operation({
    id: `${method} ${path}`,
    tag: 'Site',
    summary: path,
    description: path,
    auth: 'none',
    params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
    ...op,
  });
}

/** Any query, for pages that look through their own. */
export const ANY_QUERY = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string())]),
) as unknown as z.ZodObject;

/** The fields of an HTML form, as a body. */
export const FORM = { body: z.instanceof(URLSearchParams), form: true } as const;
