/** Operations for those who have a credential. */
import type { z } from 'zod';
import type { Caller } from '../../account/caller.ts';
import { operation, type Answer, type Operation, type Request } from '../../contract/operation.ts';

type Declaration<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
> = Omit<Operation<Params, Query, Body>, 'tag' | 'auth' | 'limit' | 'handle'> & {
  handle(request: Request<Params, Query, Body> & { caller: Caller }): Promise<Answer>;
};

/** With what all of them share: who may ask, how often, and that it is known who does. */
export function agentOperation<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
>({ handle, ...declaration }: Declaration<Params, Query, Body>): Operation {
  return operation<Params, Query, Body>({
    ...(declaration as unknown as Operation<Params, Query, Body>),
    tag: 'Agents',
    auth: 'bearer-or-session',
    limit: 'agent',
    handle: (request) => handle(request as typeof request & { caller: Caller }),
  });
}
