/** The one place where what a request carries to prove who sends it becomes a caller. */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { Caller } from '../account/caller.ts';
import { callerOfKey } from '../account/callers.ts';
import type { Database } from '../db/database.ts';
import { unauthorized } from '../errors.ts';

/** RFC 6750, 2.1; the name of a scheme is the same in any case. */
const BEARER = /^bearer +([\w~+/.=-]+) *$/i;

/**
 * @throws ServiceError 401 without a credential, with a malformed one, and with one that is unknown
 *   or revoked, between which nobody is told the difference; 503 where that cannot be looked up
 */
export async function callerOf(
  db: Database,
  { headers }: Pick<IncomingMessage, 'headers'>,
): Promise<Caller> {
  const key = BEARER.exec(headers.authorization ?? '')?.[1];
  if (key === undefined) {
    throw unauthorized('This needs an API key, sent as "Authorization: Bearer svc_live_…".');
  }
  const caller = await callerOfKey(db, key);
  if (caller) return caller;
  throw unauthorized('The API key is not valid: no such key was minted, or it was revoked.');
}

/**
 * How to authenticate, for the answer to one who has not: RFC 6750, 3, which tells apart who sent
 * nothing and whose credential is not valid.
 */
export function challengeOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const challenge = 'Bearer realm="territory"';
  return headers.authorization === undefined ? challenge : `${challenge}, error="invalid_token"`;
}

/** Who asks; undefined where the operation asks for no credential. */
export const callerAt = ({ state }: Pick<Context, 'state'>) => state.caller as Caller | undefined;
