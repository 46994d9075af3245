/**
 * Lets in who has a credential where an operation asks for one, and spends what they may spend.
 *
 * Every operation with `auth` passes here before it is handled, whichever door handles it: declared
 * among the operations of the interface (`auth: 'bearer-or-connector'`, `limit: 'mcp'`), an endpoint finds who
 * asks in `callerAt(ctx)`, and its refusals (401, 429, 503) are made already.
 */
import type { Context } from 'koa';
import type { Caller } from '../../account/caller.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import type { KeyLimits } from '../../metering/key-limits.ts';
import type { Limiter, Standing } from '../../metering/limiter.ts';
import { callerOf } from '../sign-in/credentials.ts';
import type { SessionCookie } from '../sign-in/session-cookie.ts';

export interface AdmissionParts {
  db: Database;
  limiter: Limiter;
  keyLimits: KeyLimits;
  cookie: SessionCookie;
  /** What connectors' access tokens must be for */
  audience(): string;
}

export type Standings = readonly [Standing, ...Standing[]];

export interface Admission {
  /** Of all policies in force */
  standings: Standings;
  /** Why the request must not be handled, whatever it has left to spend */
  refusal?: unknown;
}

/**
 * Puts who asks in the request's state. Who is not let in is counted by address, so that nobody can
 * try keys without end, and each answer tells its client where it stands.
 * @param client its network
 */
export async function admit(
  ctx: Context,
  { limit, auth }: Operation,
  client: string,
  parts: AdmissionParts,
): Promise<Admission> {
  try {
    const caller = await callerOf(parts.db, ctx.req, {
      ...(auth === 'bearer-or-session' && { cookie: parts.cookie }),
      ...(auth === 'bearer-or-connector' && { audience: parts.audience() }),
    });
    const standings = await spend(caller, limit, client, parts);
    ctx.state.caller = caller;
    return { standings };
  } catch (refusal) {
    return { standings: [await parts.limiter.spend('unauthenticated', client)], refusal };
  }
}

/** A refused request spends nothing further: what is left is only looked at. */
async function spend(
  { actor, organization }: Caller,
  limit: Operation['limit'],
  client: string,
  { limiter, keyLimits }: AdmissionParts,
): Promise<Standings> {
  // Of a person: all connectors that act for them share it.
  if (limit === 'mcp') return keyLimits.spend(actor.id!);
  const account = await limiter.spend(limit ?? 'agent', `${organization.id} ${client}`);
  if (actor.kind !== 'key') return [account];
  const key = await keyLimits[account.exceeded ? 'look' : 'spend'](actor.id);
  return [account, ...key];
}
