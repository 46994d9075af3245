/** Talks to an organization's OpenID Connect provider, with openid-client. */
import type { Configuration, IDToken, ServerMetadata, UserInfoResponse } from 'openid-client';
import type { ClientFetch } from '../../../base/outside/public-fetch.ts';
import { SESSION_DAYS } from '../sessions.ts';
import { ProviderFailure, providerFailure, wrongClock } from './provider-failure.ts';

/** How the service appears at the provider */
export interface ProviderClient {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The claim that decides on roles and brands. Some providers send it only for a scope of its name. */
  claim?: string | null;
}

/** Claims about an account, from its identity token and, if that lacks what we need, from userinfo */
export type AccountClaims = IDToken & Partial<UserInfoResponse>;

export interface SignedIn {
  claims: AccountClaims;
  /** Undefined if the provider issues none */
  refreshToken: string | undefined;
}

/** Secrets that bind the answer of the provider to the request and to the browser */
export interface Bindings {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Difference between the provider's clock and ours that is accepted, in seconds */
export const CLOCK_TOLERANCE = 120;
const DAY_SECONDS = 86_400;
export const GOOGLE = 'https://accounts.google.com';

/** Loaded on demand, because most processes never need it. */
const openidClient = () => import('openid-client');

/**
 * Reads the provider's own description of itself.
 * @param isSigning whether to verify the signatures of identity tokens with the provider's keys. They come over TLS
 *   from the provider itself, so this is a second proof. A check of a sign-in omits it: its refresh token is already
 *   replaced, and must not be lost to a key that was replaced at the same moment.
 * @throws ProviderFailure
 */
export async function connectToProvider(
  { issuer, clientId, clientSecret }: ProviderClient,
  fetch: ClientFetch,
  { isSigning = true } = {},
): Promise<Configuration> {
  const client = await openidClient();
  const metadata = { client_secret: clientSecret, [client.clockTolerance]: CLOCK_TOLERANCE };
  const connect = client.discovery(new URL(issuer), clientId, metadata, undefined, {
    [client.customFetch]: (url, init) => fetch(url, init as RequestInit),
    // Our fetch decides which hosts need no TLS.
    execute: [client.allowInsecureRequests],
  });
  const found = await connect.catch(async (error: unknown) => {
    throw await providerFailure(error);
  });
  const server = found.serverMetadata();
  // For Entra ID, the library accepts an issuer that stands for all companies.
  if (withoutSlash(server.issuer) !== withoutSlash(issuer)) {
    throw new ProviderFailure(
      'setup',
      `The provider calls itself ${server.issuer}. Enter that as the issuer.`,
    );
  }
  requireWebAddresses(server, new URL(issuer).protocol);
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const method = methods.includes('client_secret_post')
    ? client.ClientSecretPost(clientSecret)
    : client.ClientSecretBasic(clientSecret);
  const config = new client.Configuration(server, clientId, metadata, method);
  config[client.customFetch] = (url, init) => fetch(url, init as RequestInit);
  client.allowInsecureRequests(config);
  if (isSigning) client.enableNonRepudiationChecks(config);
  return config;
}

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
] as const;

/**
 * Browsers are sent to one of these addresses, and our requests to the others.
 * @param protocol of the issuer: http only on this machine
 * @throws ProviderFailure unless each is an https URL, or has the issuer's protocol
 */
function requireWebAddresses(server: ServerMetadata, protocol: string): void {
  for (const name of ENDPOINTS) {
    const address: unknown = server[name];
    if (address === undefined) continue;
    const url = typeof address === 'string' ? URL.parse(address) : null;
    if (url?.protocol === 'https:' || url?.protocol === protocol) continue;
    throw new ProviderFailure(
      'setup',
      `The provider’s description of itself has an address that isn’t an https URL: ${name}.`,
    );
  }
}

const withoutSlash = (url: string) => url.replace(/\/$/, '');

/**
 * @param options.loginHint email address that the person entered
 * @param options.again whether the provider asks the person to prove their identity, even if they are signed in there
 * @returns the provider's page for signing in
 */
export async function providerSignInUrl(
  config: Configuration,
  { state, nonce, codeVerifier }: Bindings,
  options: {
    redirectUri: string;
    loginHint?: string | undefined;
    again?: boolean;
    claim?: string | null;
  },
): Promise<string> {
  const client = await openidClient();
  const { issuer, scopes_supported: scopes = [] } = config.serverMetadata();
  const isGoogle = issuer === GOOGLE;
  const wanted = ['openid', 'email', 'profile'];
  // Sign-ins are checked with refresh tokens, for which some providers want this scope.
  if (scopes.includes('offline_access')) wanted.push('offline_access');
  if (options.claim && scopes.includes(options.claim)) wanted.push(options.claim);
  const prompt = isGoogle ? 'consent' : options.again ? 'login' : undefined;
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: options.redirectUri,
    scope: wanted.join(' '),
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(options.loginHint !== undefined && { login_hint: options.loginHint }),
    ...(prompt !== undefined && { prompt }),
    // With it, providers also say when the person last proved their identity.
    max_age: String(SESSION_DAYS * DAY_SECONDS),
    // Google issues refresh tokens only with this parameter, and only after asking for consent.
    ...(isGoogle && { access_type: 'offline' }),
  });
  return url.href;
}

export async function newBindings(): Promise<Bindings> {
  const client = await openidClient();
  return {
    state: client.randomState(),
    nonce: client.randomNonce(),
    codeVerifier: client.randomPKCECodeVerifier(),
  };
}

/**
 * Redeems the code in the address to which the provider sent the browser.
 * @param answer that address, as the provider knows it
 * @param claim a claim that is asked for at userinfo if the identity token lacks it
 * @throws ProviderFailure if the provider refuses, or its answer doesn't fit the request
 */
export async function redeemAnswer(
  config: Configuration,
  answer: URL,
  { state, nonce, codeVerifier }: Bindings,
  claim: string | null = null,
): Promise<SignedIn> {
  const client = await openidClient();
  try {
    const tokens = await client.authorizationCodeGrant(config, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const identity = tokens.claims()!;
    // The library only checks that the token hasn't expired.
    if (identity.iat > Date.now() / 1000 + CLOCK_TOLERANCE) throw wrongClock();
    const needsMore =
      (identity.email === undefined || (claim !== null && identity[claim] === undefined)) &&
      config.serverMetadata().userinfo_endpoint !== undefined;
    const more = needsMore
      ? await client.fetchUserInfo(config, tokens.access_token, identity.sub)
      : {};
    return { claims: { ...more, ...identity }, refreshToken: tokens.refresh_token };
  } catch (error) {
    throw await providerFailure(error);
  }
}

/**
 * Asks whether the account still exists, by using the refresh token.
 * @returns the next refresh token, which may replace the old one
 * @throws ProviderFailure `gone` if the provider ended the account's access
 */
export async function refreshSignIn(
  config: Configuration,
  refreshToken: string,
  subject: string,
): Promise<string> {
  const client = await openidClient();
  try {
    const tokens = await client.refreshTokenGrant(config, refreshToken);
    const claims = tokens.claims();
    if (claims && claims.sub !== subject) {
      throw new ProviderFailure('gone', 'The provider answered for another account.');
    }
    return tokens.refresh_token ?? refreshToken;
  } catch (error) {
    throw await providerFailure(error);
  }
}

/**
 * Sends a code that no provider issued, to learn whether the provider accepts the client's id and secret.
 * @throws ProviderFailure
 */
export async function tryClient(config: Configuration, redirectUri: string): Promise<void> {
  const client = await openidClient();
  try {
    await client.genericGrantRequest(config, 'authorization_code', {
      code: 'connection-test',
      redirect_uri: redirectUri,
      code_verifier: client.randomPKCECodeVerifier(),
    });
  } catch (error) {
    const isKnownClient =
      error instanceof client.ResponseBodyError && error.error === 'invalid_grant';
    if (!isKnownClient) throw await providerFailure(error);
  }
}
