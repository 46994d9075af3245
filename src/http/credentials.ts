/** The one place where what a request carries to prove who sends it becomes a caller. */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { Caller } from '../account/caller.ts';
import { callerOfKey, callerOfPerson } from '../account/callers.ts';
import { sessionOf } from '../account/sessions.ts';
import type { Database } from '../db/database.ts';
import { unauthorized } from '../errors.ts';
import { isSameOrigin } from './same-origin.ts';
import type { SessionCookie } from './session-cookie.ts';

/** RFC 6750, 2.1; the name of a scheme is the same in any case. */
const BEARER = /^bearer +([\w~+/.=-]+) *$/i;

/**
 * @param cookie where the session of somebody who is signed in will do, too
 * @throws ServiceError 401 without a credential, with a malformed one, and with one that is unknown
 *   or revoked, between which nobody is told the difference; 503 where that cannot be looked up
 */
export async function callerOf(
  db: Database,
  request: Pick<IncomingMessage, 'headers' | 'method'>,
  cookie?: SessionCookie,
): Promise<Caller> {
  const { authorization } = request.headers;
  const secret = authorization === undefined ? cookie?.read(request.headers) : undefined;
  if (cookie && secret !== undefined) return callerOfSession(db, request, secret, cookie);
  const key = BEARER.exec(authorization ?? '')?.[1];
  if (key === undefined) {
    throw unauthorized('This needs an API key, sent as "Authorization: Bearer svc_live_…".');
  }
  const caller = await callerOfKey(db, key);
  if (caller) return caller;
  throw unauthorized('The API key is not valid: no such key was minted, or it was revoked.');
}

/** Browsers send cookies also where another site has them ask: that is no proof of what is wanted. */
async function callerOfSession(
  db: Database,
  { headers, method }: Pick<IncomingMessage, 'headers' | 'method'>,
  secret: string,
  { site }: SessionCookie,
): Promise<Caller> {
  if (!READING.has(method!) && !isSameOrigin(headers, site())) {
    throw unauthorized('A session opens this only to the pages of this site. Others need a key.');
  }
  const session = await sessionOf(db, secret);
  const { organizationId } = session ?? {};
  const caller =
    session && organizationId ? await callerOfPerson(db, organizationId, session.person.id) : null;
  if (caller) return caller;
  throw unauthorized('You are not signed in any more. Sign in again, or send an API key.');
}

/** Methods that change nothing */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

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
