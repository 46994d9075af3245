/** Back-channel logout: the provider says that an account, or one of its sessions, has signed out. */
import { cacheOf } from '../../../base/cache/cache.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { expiring } from '../../../base/db/expiring-rows.ts';
import { badRequest, notFound } from '../../../errors.ts';
import { hashOfSecret } from '../secret.ts';
import { tenantOf } from '../tenant.ts';
import { isId } from './account-claims.ts';
import { isOrganizationId } from './addresses.ts';
import { endProviderSessions } from './grants.ts';
import type { CompanyParts } from './parts.ts';
import { asServiceError, ProviderFailure, providerFailure } from './provider-failure.ts';
import { CLOCK_TOLERANCE, connectToProvider, type ProviderClient } from './provider.ts';
import { providerClientOf } from './settings.ts';

/** OpenID Connect Back-Channel Logout 1.0, 2.4 */
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Tokens live for two minutes, as the specification recommends. Older ones are refused, so this remembers enough. */
const MAX_AGE_SECONDS = 600;
/** A token signed with a new key makes us read the keys again, at most this often. */
const KEYS_COOLDOWN_MS = 5_000;
const KNOWN = { ttl: 600_000 };
const KEYS_BYTES = 20_000;

export const USED_LOGOUTS = expiring({
  table: 'company_logouts',
  column: 'expires_at',
  before: 'now()',
});

type Keys = ReturnType<(typeof import('jose'))['createRemoteJWKSet']>;

/**
 * @returns ends the sessions that a logout token names, and returns their number
 * @throws ServiceError 400 if the token isn't valid or was used before; 404 if the organization has no company sign-in;
 *   503 if the provider's keys can't be read
 */
export function companyLogout(
  parts: CompanyParts,
): (organizationId: string, token: string) => Promise<number> {
  const { db, fetch, secrets, log } = parts;

  const known = cacheOf<Keys>(() => KEYS_BYTES, KNOWN);
  const keysOf = async (client: ProviderClient) => {
    const [{ createRemoteJWKSet, customFetch }, config] = await Promise.all([
      import('jose'),
      connectToProvider(client, fetch, { isSigning: false }),
    ]);
    const { jwks_uri: address } = config.serverMetadata();
    if (address === undefined) {
      throw new ProviderFailure('setup', 'The provider publishes no keys.');
    }
    return createRemoteJWKSet(new URL(address), {
      cooldownDuration: KEYS_COOLDOWN_MS,
      [customFetch]: (url: string, init: RequestInit) => fetch(url, init),
    });
  };

  return async (organizationId, token) => {
    const tenant = tenantOf(db, organizationId);
    const client = isOrganizationId(organizationId)
      ? await providerClientOf(tenant, secrets)
      : null;
    if (!client) throw notFound('There is no company sign-in at this address.');
    const jose = await import('jose');
    refuseUnlike(jose, token, client);
    const keys = await known
      .find(`${organizationId} ${client.issuer}`, () => keysOf(client))
      .catch(async (error: unknown) => {
        throw asServiceError(await providerFailure(error));
      });
    const { payload } = await jose
      .jwtVerify(token, keys, {
        issuer: client.issuer,
        audience: client.clientId,
        maxTokenAge: MAX_AGE_SECONDS,
        clockTolerance: CLOCK_TOLERANCE,
        requiredClaims: ['jti', 'events'],
      })
      .catch(async (error: unknown) => {
        log.warn({ organization: organizationId, err: error }, 'a logout token was refused');
        throw isAboutToken(jose, error)
          ? invalidToken()
          : asServiceError(await providerFailure(error));
      });
    const { events, nonce } = payload;
    const [subject, providerSession, jti] = [payload.sub, payload['sid'], payload.jti].map(idOf);
    const named = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
    // A nonce would make it an identity token (2.4).
    if (!named || nonce !== undefined || !jti || !(subject || providerSession))
      throw invalidToken();
    const account = { issuer: client.issuer, subject, providerSession };
    const ended = await db.transaction(async (tx) => {
      await requireUnused(tx, organizationId, jti);
      return endProviderSessions(tx, organizationId, account);
    });
    log.info({ organization: organizationId, ended }, 'the provider signed an account out');
    return ended;
  };
}

const idOf = (claim: unknown) => (isId(claim) ? claim : undefined);

/**
 * Refuses what can't be a token for this client before anything is fetched, because anyone can send it.
 * @throws ServiceError 400
 */
function refuseUnlike(
  { decodeJwt }: typeof import('jose'),
  token: string,
  { issuer, clientId }: ProviderClient,
): void {
  let claims: ReturnType<typeof decodeJwt>;
  try {
    claims = decodeJwt(token);
  } catch {
    throw invalidToken();
  }
  if (claims.iss !== issuer || ![claims.aud].flat().includes(clientId)) throw invalidToken();
}

/** Whether the token is at fault. Otherwise the provider's keys couldn't be read, and the token may be valid. */
const isAboutToken = ({ errors }: typeof import('jose'), error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT'].includes(error.code);

const invalidToken = () =>
  badRequest('The logout token is not valid for this client, or was used before.');

async function requireUnused(tx: Queryable, organizationId: string, jti: string): Promise<void> {
  const added = await tx.query(
    `insert into company_logouts (organization_id, token_hash, expires_at)
     values ($1, $2, now() + $3::int * interval '1 second')
     on conflict do nothing returning organization_id`,
    [organizationId, hashOfSecret(jti), MAX_AGE_SECONDS + 2 * CLOCK_TOLERANCE],
  );
  if (added.length === 0) throw invalidToken();
}
