/** Authenticates a request: finds the caller of its credential. */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { Caller } from '../../../people/account/caller.ts';
import { callerOfKey, callerOfPerson } from '../../../people/account/callers.ts';
import { looksLikeAccessToken } from '../../../people/account/key-text.ts';
import { sessionOf } from '../../../people/account/sessions.ts';
import type { Database } from '../../../base/db/database.ts';
import { ServiceError, unauthorized } from '../../../errors.ts';
import { callerOfToken } from '../../../people/oauth/callers.ts';
import { resourceMetadataUrl, type Addresses } from '../../../people/oauth/discovery.ts';
import { SCOPES } from '../../../people/oauth/scopes.ts';
import { FOR_ORGANIZATION, switchProblem } from './for-organization.ts';
import { operationAt } from '../requests/find-operation.ts';
import { isSameOrigin } from './same-origin.ts';
import type { SiteCookie } from './site-cookie.ts';

/** RFC 6750, 2.1. The scheme is case-insensitive. */
const BEARER = /^bearer +([\w~+/.=-]+) *$/i;

/** Credentials accepted in addition to API keys. */
export interface OtherCredentials {
  /** The session of a signed-in person */
  cookie?: SiteCookie;
  /** An access token for one of these URLs */
  audiences?: readonly string[];
  /** Why access tokens are refused, and what to use instead */
  refusesAccessTokens?: string;
}

/**
 * @throws ServiceError 401 if the credential is missing, malformed, unknown, or revoked, without
 *   revealing whether it's unknown or revoked; 403 if it's a refused access token; 503 if it can't be
 *   looked up
 */
export async function callerOf(
  db: Database,
  request: Pick<IncomingMessage, 'headers' | 'method'>,
  { cookie, audiences, refusesAccessTokens }: OtherCredentials = {},
): Promise<Caller> {
  const { authorization } = request.headers;
  const secret = authorization === undefined ? cookie?.read(request.headers) : undefined;
  if (cookie && secret !== undefined) return callerOfSession(db, request, secret, cookie);
  const bearer = BEARER.exec(authorization ?? '')?.[1];
  if (bearer === undefined) {
    throw unauthorized(
      'An API key is required. Send it as "Authorization: Bearer svc_live_…"' +
        (audiences === undefined ? '.' : ', or send an access token that a person has granted.'),
    );
  }
  const isAccessToken = looksLikeAccessToken(bearer);
  if (isAccessToken && refusesAccessTokens) {
    throw new ServiceError(403, 'access_token_not_allowed', refusesAccessTokens);
  }
  const caller =
    isAccessToken && audiences
      ? await callerOfToken(db, bearer, audiences)
      : await callerOfKey(db, bearer);
  if (caller) return caller;
  throw unauthorized(
    isAccessToken
      ? 'The access token is invalid: it has expired, was revoked, or is for another service or endpoint. Sign in again.'
      : 'The API key is invalid: it doesn’t exist or was revoked. Use another key.',
  );
}

/**
 * Browsers send cookies even if another site starts the request, so writes also require proof of the same
 * origin.
 */
async function callerOfSession(
  db: Database,
  { headers, method }: Pick<IncomingMessage, 'headers' | 'method'>,
  secret: string,
  { site }: SiteCookie,
): Promise<Caller> {
  if (!SAFE_METHODS.has(method!) && !isSameOrigin(headers, site())) {
    throw unauthorized('Sessions only work on pages of this site. Other clients need an API key.');
  }
  const session = await sessionOf(db, secret);
  const { organizationId } = session ?? {};
  const caller =
    session && organizationId
      ? await callerOfPerson(db, organizationId, session.person.id, {
          byCompany: session.company !== null,
        })
      : null;
  if (caller?.lacksSecondFactor) {
    throw unauthorized(
      `${caller.organization.name} requires a second factor. Set one up in your account.`,
    );
  }
  const problem = caller && switchProblem(caller, headers[FOR_ORGANIZATION]);
  if (problem) throw unauthorized(problem);
  if (caller) return caller;
  throw unauthorized('Your session has ended. Sign in again, or send an API key.');
}

/** Methods that change nothing */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns the `WWW-Authenticate` header of a 401. */
export type ChallengeOf = (ctx: Pick<Context, 'req' | 'state'>) => string;

/**
 * RFC 6750, 3: `invalid_token` is added only if a credential was sent. Operations for connectors also
 * link to the resource metadata (RFC 9728, 5.1).
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

/** The caller; undefined if the operation needs no credential. */
export const callerAt = ({ state }: Pick<Context, 'state'>) => state.caller as Caller | undefined;
