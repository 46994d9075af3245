/**
 * The authorization server: oidc-provider, limited to the features that connectors need. Tokens are opaque
 * and looked up for each request, so that ending a connection takes effect at once. There are no identity
 * tokens, so only the cookies of pending requests are signed.
 */
import { generateKeyPairSync } from 'node:crypto';
import type ProviderType from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { InvalidTarget } from 'oidc-provider/lib/helpers/errors.js';
import { Provider } from 'oidc-provider/lib/provider.js';
import { newConnectorSecret, type ConnectorSecret } from '../account/key-text.ts';
import type { Queryable } from '../../base/db/database.ts';
import { ServiceError } from '../../errors.ts';
import { normalizeMetadata } from './client-metadata.ts';
import { isConnected } from '../account/connections/connections.ts';
import {
  CONNECTION_DAYS,
  COOKIES,
  ID_TOKEN_ALGORITHM,
  IDLE_DAYS,
  ROUTES,
} from './connector-terms.ts';
import type { Resources } from './discovery.ts';
import { limitedFetch } from '../../base/outside/exchange.ts';
import type { ClientFetch } from '../../base/outside/public-fetch.ts';
import { recordAdapter } from '../account/connections/records.ts';
import { refusalSentence } from './refusals.ts';
import { SCOPES } from './scopes.ts';

const MINUTE = 60;
const DAY = 86_400;

interface ProviderParts {
  db: Queryable;
  /** URL of the site's root */
  issuer: string;
  resources: Resources;
  /** Returns the path of the consent page for a request. */
  consentPath(uid: string): string;
  cookieKey: string;
  fetch: ClientFetch;
}

/** As oidc-provider limits client metadata documents. Its signal alone doesn't end every request. */
const DOCUMENT_LIMITS = { ms: 2_500, bytes: 5 * 1024 };

export function createProvider(parts: ProviderParts): ProviderType {
  const provider = new Provider(parts.issuer, configurationOf(parts));
  prefixSecrets(provider);
  // oidc-provider's own response hides the cause of a fault. The HTTP layer reads it here.
  provider.on('server_error', (ctx, fault) => {
    ctx.state.fault = fault;
  });
  return provider;
}

function configurationOf(parts: ProviderParts): Configuration {
  const { db, resources, consentPath, cookieKey, fetch } = parts;
  return {
    adapter: recordAdapter(db),
    routes: ROUTES,
    cookies: { names: COOKIES, keys: [cookieKey] },
    // oidc-provider requires a key for the identity token algorithm of clients. There are no identity
    // tokens, so this key signs nothing and isn't stored.
    jwks: { keys: [unusedKey()] },
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: ID_TOKEN_ALGORITHM,
    },
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    scopes: [],
    claims: {},
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      registration: { enabled: true, idFactory: () => `client_${crypto.randomUUID()}` },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf ?? resources.mcp,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, indicator) => {
          const { mcp, api } = resources;
          if (indicator !== mcp && indicator !== api) {
            throw new InvalidTarget(`the resources are ${mcp} and ${api}`);
          }
          return { scope: SCOPES.join(' '), audience: indicator, accessTokenFormat: 'opaque' };
        },
      },
    },
    extraClientMetadata: {
      // The validator runs once per property, so a single property is enough.
      properties: ['software_id'],
      validator: (ctx, _name, _value, metadata) =>
        normalizeMetadata(metadata, (ctx as KoaContextWithOIDC)?.oidc?.route === 'registration'),
    },
    findAccount: async (_ctx, personId, token) => {
      const grantId = (token as { grantId?: string } | undefined)?.grantId;
      if (grantId !== undefined && !(await isConnected(db, grantId))) return undefined;
      return { accountId: personId, claims: () => ({ sub: personId }) };
    },
    // Each authorization asks the person and creates a new connection. Earlier grants aren't reused.
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    interactions: { url: (_ctx, { uid }) => consentPath(uid) },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    clientBasedCORS: () => true,
    fetch: limitedFetch(fetch, DOCUMENT_LIMITS) as typeof globalThis.fetch,
    ttl: {
      AccessToken: 60 * MINUTE,
      AuthorizationCode: MINUTE,
      Grant: CONNECTION_DAYS * DAY,
      Interaction: 60 * MINUTE,
      RefreshToken: IDLE_DAYS * DAY,
      Session: DAY,
    },
    renderError: (_ctx, out, error) => {
      const { statusCode = 500 } = error as { statusCode?: number };
      throw new ServiceError(statusCode, 'bad_request', refusalSentence(out));
    },
  };
}

function unusedKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), alg: ID_TOKEN_ALGORITHM, use: 'sig' } as never;
}

/**
 * Prefixes the secrets of connectors with their kind, as for API keys, so that secret scanners and our logs
 * recognize them.
 */
function prefixSecrets(provider: ProviderType): void {
  const models = [
    [provider.AccessToken, 'access'],
    [provider.RefreshToken, 'refresh'],
    [provider.AuthorizationCode, 'code'],
    [provider.RegistrationAccessToken, 'registration'],
  ] as unknown as [{ prototype: { generateTokenId(): string } }, ConnectorSecret][];
  for (const [{ prototype }, kind] of models) {
    const original = prototype.generateTokenId;
    prototype.generateTokenId = function generatePrefixedId() {
      // Called for its side effect: setting the token's format.
      original.call(this);
      return newConnectorSecret(kind);
    };
  }
}
