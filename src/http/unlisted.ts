/** Operations at the site's root. No document of the interface lists them. */
import { z } from 'zod';
import type {
  AnswerDeclarations,
  AnswerOf,
  Declaration,
  Operation,
  Request,
} from '../contract/operation.ts';

type Filled = 'id' | 'tag' | 'summary' | 'description' | 'auth' | 'params';

/** Path parameters are strings unless `params` declares them. */
export function siteOperation<
  const Answers extends AnswerDeclarations,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  const Result extends AnswerOf<Answers> = AnswerOf<Answers>,
>(
  declaration: Omit<Declaration<Params, Query, Body, Answers>, Filled> & {
    params?: Params;
    handle(request: Request<Params, Query, Body>): Promise<Result>;
  },
): Operation {
  const { method, path } = declaration;
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
  return {
    id: `${method} ${path}`,
    tag: 'Site',
    summary: path,
    description: path,
    auth: 'none',
    params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
    ...(declaration as unknown as Omit<Operation, Filled>),
  };
}

/** Any query; pages read the parameters that they know. */
export const ANY_QUERY = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string())]),
) as unknown as z.ZodObject;

/** The body is the fields of an HTML form. */
export const FORM = { body: z.instanceof(URLSearchParams), form: true } as const;
