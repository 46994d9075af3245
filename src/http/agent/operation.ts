/** Operations that need a credential. */
import type { z } from 'zod';
import type { Caller } from '../../account/caller.ts';
import {
  type AnswerDeclarations,
  type AnswerOf,
  type Declaration,
  type NoUndeclaredFields,
  type Operation,
  type Request,
} from '../../contract/operation.ts';

/** Adds what all operations of this layer share, and gives `handle` the caller. */
export function agentOperation<
  const Answers extends AnswerDeclarations,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  const Result extends AnswerOf<Answers> = AnswerOf<Answers>,
>({
  handle,
  ...declaration
}: Omit<Declaration<Params, Query, Body, Answers>, 'tag' | 'auth' | 'limit'> & {
  handle(request: Request<Params, Query, Body> & { caller: Caller }): Promise<Result>;
} & NoUndeclaredFields<Result, Answers>): Operation {
  return {
    ...(declaration as unknown as Omit<Declaration, 'tag' | 'auth' | 'limit'>),
    tag: 'Agents',
    auth: 'bearer-or-session',
    limit: 'agent',
    handle: (request) =>
      handle(request as unknown as Request<Params, Query, Body> & { caller: Caller }),
  };
}
