/**
 * Admits callers of operations that need a credential, and counts their requests. Handlers find the caller
 * in `callerAt(ctx)`. 401, 429, and 503 are answered before handlers run.
 */
import type { Context } from 'koa';
import type { Caller } from '../../../people/account/caller.ts';
import type { Operation } from '../../../base/contract/operation.ts';
import type { Database } from '../../../base/db/database.ts';
import type { KeyLimits } from '../../../people/metering/key-limits.ts';
import type { Limiter, Standing } from '../../../people/metering/limiter.ts';
import type { Resources } from '../../../people/oauth/discovery.ts';
import { callerOf, type OtherCredentials } from '../sign-in/credentials.ts';
import type { SiteCookie } from '../sign-in/site-cookie.ts';

export interface AdmissionParts {
  db: Database;
  limiter: Limiter;
  keyLimits: KeyLimits;
  cookie: SiteCookie;
  resources(): Resources;
}

export type Standings = readonly [Standing, ...Standing[]];

export interface Admission {
  /** One for each policy that applies */
  standings: Standings;
  /** The error that refuses the request, even if it's within its limits */
  refusal?: unknown;
}

/**
 * Stores the caller in the request's state. Refused requests are counted by client network, which
 * limits the guessing of keys.
 * @param client network of the client
 */
export async function admit(
  ctx: Context,
  op: Operation,
  client: string,
  parts: AdmissionParts,
): Promise<Admission> {
  try {
    const caller = await callerOf(parts.db, ctx.req, otherCredentials(op, parts));
    const standings = await countRequest(caller, op.limit, client, parts);
    ctx.state.caller = caller;
    return { standings };
  } catch (refusal) {
    return { standings: [await parts.limiter.count('unauthenticated', client)], refusal };
  }
}

/**
 * A token for the MCP endpoint is valid nowhere else. A token for the API is also valid at the MCP
 * endpoint.
 */
function otherCredentials(
  { auth, refusesAccessTokens }: Operation,
  { cookie, resources }: AdmissionParts,
): OtherCredentials {
  if (auth === 'bearer-if-private') return {};
  const { mcp, api } = resources();
  if (auth === 'bearer-or-connector') return { audiences: [mcp, api] };
  return refusesAccessTokens ? { cookie, refusesAccessTokens } : { cookie, audiences: [api] };
}

/**
 * If the account's limit is exceeded, the request doesn't count against the key's limits, but they are
 * still reported.
 */
async function countRequest(
  { actor, organization }: Caller,
  limit: Operation['limit'],
  client: string,
  { limiter, keyLimits }: AdmissionParts,
): Promise<Standings> {
  // Counted per key, or per person: all connectors of a person share the limit.
  if (limit === 'mcp') return keyLimits.count(actor.id!);
  const account = await limiter.count(limit ?? 'agent', `${organization.id} ${client}`);
  if (actor.kind !== 'key' || (limit !== undefined && limit !== 'agent')) return [account];
  const key = await keyLimits[account.exceeded ? 'read' : 'count'](actor.id);
  return [account, ...key];
}
