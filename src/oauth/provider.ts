/**
 * The authorization server: oidc-provider, held to what connectors need. Tokens are opaque and looked
 * up for each call, so that ending a connection ends it at once; there are no identity tokens, so
 * nothing is signed but the cookies of a request under way.
 */
import { generateKeyPairSync } from 'node:crypto';
import type ProviderType from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { InvalidTarget } from 'oidc-provider/lib/helpers/errors.js';
import { Provider } from 'oidc-provider/lib/provider.js';
import { newConnectorSecret, type ConnectorSecret } from '../account/key-text.ts';
import type { Queryable } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { settleMetadata } from './client-metadata.ts';
import { isConnected } from './connections.ts';
import { publicFetch, type ClientFetch } from './public-fetch.ts';
import { recordsOf } from './records.ts';
import { refusalSentence } from './refusals.ts';
import { SCOPES } from './scopes.ts';

const MINUTE = 60;
const DAY = 86_400;

/** However much it is used, a connection must be made anew after so long. */
export const CONNECTION_DAYS = 365;

/** From a connector's last call to its end. */
export const IDLE_DAYS = 30;

/** At the root of the site */
export const ROUTES = {
  authorization: '/authorize',
  token: '/token',
  registration: '/register',
  revocation: '/revoke',
} as const;

export const COOKIES = {
  interaction: 'connect',
  resume: 'connect_resume',
  session: 'connect_session',
} as const;

export interface ProviderParts {
  db: Queryable;
  /** The site's root, which is who answers */
  issuer: string;
  /** What tokens are for: the address of the MCP endpoint */
  resource: string;
  /** Path of the page on which people are asked, by the request's name */
  consentPath(uid: string): string;
  cookieKey: string;
  fetch?: ClientFetch;
}

export function createProvider(parts: ProviderParts): ProviderType {
  const provider = new Provider(parts.issuer, configurationOf(parts));
  giveSecretsNames(provider);
  // Its own answer to a fault tells nothing: the door finds the fault here.
  provider.on('server_error', (ctx, fault) => {
    ctx.state.fault = fault;
  });
  return provider;
}

function configurationOf(parts: ProviderParts): Configuration {
  const { db, resource, consentPath, cookieKey, fetch = publicFetch() } = parts;
  return {
    adapter: recordsOf(db),
    routes: ROUTES,
    cookies: { names: COOKIES, keys: [cookieKey] },
    // Clients are described with an algorithm for identity tokens, which must be one that some key
    // has. There are no such tokens: this one signs nothing and is forgotten with the process.
    jwks: { keys: [unusedKey()] },
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
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
        defaultResource: (_ctx, _client, oneOf) => oneOf ?? resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, indicator) => {
          if (indicator !== resource) throw new InvalidTarget(`the only resource is ${resource}`);
          return { scope: SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque' };
        },
      },
    },
    extraClientMetadata: {
      // It is called once for each of these: one is enough.
      properties: ['software_id'],
      validator: (ctx, _name, _value, metadata) =>
        settleMetadata(metadata, (ctx as KoaContextWithOIDC)?.oidc?.route === 'registration'),
    },
    findAccount: async (_ctx, personId, token) => {
      const grantId = (token as { grantId?: string } | undefined)?.grantId;
      if (grantId !== undefined && !(await isConnected(db, grantId))) return undefined;
      return { accountId: personId, claims: () => ({ sub: personId }) };
    },
    // Each sign-in is a connection of its own, granted by a person who was asked for it.
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    interactions: { url: (_ctx, { uid }) => consentPath(uid) },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    clientBasedCORS: () => true,
    fetch: fetch as typeof globalThis.fetch,
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
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' } as never;
}

/**
 * Secrets by which connectors prove themselves begin with what they are, like API keys: scanners and
 * our own log know them by that.
 */
function giveSecretsNames(provider: ProviderType): void {
  const named = [
    [provider.AccessToken, 'access'],
    [provider.RefreshToken, 'refresh'],
    [provider.AuthorizationCode, 'code'],
    [provider.RegistrationAccessToken, 'registration'],
  ] as unknown as [{ prototype: { generateTokenId(): string } }, ConnectorSecret][];
  for (const [{ prototype }, kind] of named) {
    const usual = prototype.generateTokenId;
    prototype.generateTokenId = function named() {
      // What it notes of the token's format is needed.
      usual.call(this);
      return newConnectorSecret(kind);
    };
  }
}
