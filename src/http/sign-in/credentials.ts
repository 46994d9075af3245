/** The one place where what a request carries to prove who sends it becomes a caller. */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { Caller } from '../../account/caller.ts';
import { callerOfKey, callerOfPerson } from '../../account/callers.ts';
import { looksLikeAccessToken } from '../../account/key-text.ts';
import { sessionOf } from '../../account/sessions.ts';
import type { Database } from '../../db/database.ts';
import { unauthorized } from '../../errors.ts';
import { callerOfToken } from '../../oauth/callers.ts';
import { resourceMetadataUrl, type Addresses } from '../../oauth/discovery.ts';
import { SCOPES } from '../../oauth/scopes.ts';
import { operationAt } from '../requests/find-operation.ts';
import { isSameOrigin } from './same-origin.ts';
import type { SessionCookie } from './session-cookie.ts';

/** RFC 6750, 2.1; the name of a scheme is the same in any case. */
const BEARER = /^bearer +([\w~+/.=-]+) *$/i;

/** What will do besides a key. */
export interface OtherCredentials {
  /** The session of somebody who is signed in */
  cookie?: SessionCookie;
  /** A connector's access token that is for this */
  audience?: string;
}

/**
 * @throws ServiceError 401 without a credential, with a malformed one, and with one that is unknown
 *   or revoked, between which nobody is told the difference; 503 where that cannot be looked up
 */
export async function callerOf(
  db: Database,
  request: Pick<IncomingMessage, 'headers' | 'method'>,
  { cookie, audience }: OtherCredentials = {},
): Promise<Caller> {
  const { authorization } = request.headers;
  const secret = authorization === undefined ? cookie?.read(request.headers) : undefined;
  if (cookie && secret !== undefined) return callerOfSession(db, request, secret, cookie);
  const bearer = BEARER.exec(authorization ?? '')?.[1];
  if (bearer === undefined) {
    throw unauthorized(
      'This needs an API key, sent as "Authorization: Bearer svc_live_…"' +
        (audience === undefined ? '.' : ', or an access token that a person has granted.'),
    );
  }
  const caller =
    audience !== undefined && looksLikeAccessToken(bearer)
      ? await callerOfToken(db, bearer, audience)
      : await callerOfKey(db, bearer);
  if (caller) return caller;
  throw unauthorized(
    looksLikeAccessToken(bearer)
      ? 'The access token is not valid here: it is over, was revoked, or is for another service.'
      : 'The API key is not valid: no such key was minted, or it was revoked.',
  );
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

/** How to authenticate, for the answer to one who has not. */
export type ChallengeOf = (ctx: Pick<Context, 'req' | 'state'>) => string;

/**
 * RFC 6750, 3, which tells apart who sent nothing and whose credential is not valid. Where connectors
 * may call, it leads them to how they are let in (RFC 9728, 5.1).
 */
export const challenges =
  (addresses: () => Addresses): ChallengeOf =>
  ({ req, state }) => {
    const forConnectors = operationAt({ state })?.auth === 'bearer-or-connector';
    const parameters = [
      'realm="territory"',
      ...(req.headers.authorization === undefined ? [] : ['error="invalid_token"']),
      ...(forConnectors
        ? [`resource_metadata="${resourceMetadataUrl(addresses())}"`, `scope="${SCOPES.join(' ')}"`]
        : []),
    ];
    return `Bearer ${parameters.join(', ')}`;
  };

/** Who asks; undefined where the operation asks for no credential. */
export const callerAt = ({ state }: Pick<Context, 'state'>) => state.caller as Caller | undefined;
