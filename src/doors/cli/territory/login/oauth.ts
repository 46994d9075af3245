/** Sends requests of `territory` to the service's authorization server. */
import { exchange, type Exchanged } from '../../../../base/outside/exchange.ts';
import { EXIT, Failure } from '../failure.ts';
import { isRecord, parseJson } from '../json.ts';
import type { SignIn } from './sign-ins.ts';

/** Documents and tokens take a few kB. */
const LIMITS = { ms: 30_000, bytes: 1_000_000 };

/** Addresses of an authorization server (RFC 8414) */
interface AuthorizationServer {
  issuer: string;
  /** URL for which tokens are valid: the whole API, because half of the commands don't use MCP */
  resource: string;
  authorizationUrl: string;
  tokenUrl: string;
  registrationUrl: string;
  revocationUrl: string | null;
}

/**
 * Finds the authorization server of a service as the MCP specification describes: the endpoint's 401 response names a
 * document (RFC 9728), which names the server.
 * @throws Failure
 */
export async function findAuthorizationServer(api: string): Promise<AuthorizationServer> {
  const refused = await ask(`${api}/mcp`, { method: 'POST' });
  const challenge = refused.headers.get('WWW-Authenticate') ?? '';
  const [, document] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
  if (refused.status !== 401 || document === undefined) {
    throw new Failure(
      EXIT.other,
      `${api} is not the address of a service that people can sign in to. Check TERRITORY_URL.`,
    );
  }
  const { resource, authorization_servers: servers } = await readDocument(document, api);
  const [site] = Array.isArray(servers) ? (servers as unknown[]) : [];
  const issuer = webAddress(site, api);
  const { origin, pathname } = new URL(issuer);
  const at = `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`;
  const server = await readDocument(at, api);
  if (server.issuer !== issuer) throw unexpected(`${at} is not the document of ${issuer}`);
  const { protected_resources: all } = server;
  const whole = Array.isArray(all) ? all.find((one) => `${one}/mcp` === resource) : undefined;
  if (whole === undefined) throw unexpected(`${issuer} grants no access to the whole API`);
  return {
    issuer,
    resource: webAddress(whole, api),
    authorizationUrl: webAddress(server.authorization_endpoint, api),
    tokenUrl: webAddress(server.token_endpoint, api),
    registrationUrl: webAddress(server.registration_endpoint, api),
    revocationUrl:
      server.revocation_endpoint === undefined ? null : webAddress(server.revocation_endpoint, api),
  };
}

/** Registers a client. @returns its id */
export async function register(
  { registrationUrl }: AuthorizationServer,
  name: string,
  redirect: string,
): Promise<string> {
  const response = await ask(registrationUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }),
  });
  const { client_id: id } = await readAnswer(response);
  if (typeof id !== 'string') throw unexpected('the registration returned no client id');
  return id;
}

type Tokens = Pick<SignIn, 'accessToken' | 'refreshToken' | 'expiresAt'>;

/** Redeems a code or a refresh token. @throws Failure; see `isEnded` */
export async function requestTokens(url: string, fields: Record<string, string>): Promise<Tokens> {
  const answer = await readAnswer(
    await ask(url, { method: 'POST', body: new URLSearchParams(fields) }),
  );
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = answer;
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) {
    throw unexpected('the token endpoint returned no access token');
  }
  const expiresAt = new Date(Date.now() + Number(seconds ?? 3_600) * 1_000).toISOString();
  return {
    accessToken,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : null,
    expiresAt,
  };
}

/** Ends the connection on the service. */
export async function revoke({ revocationUrl, clientId, refreshToken, accessToken }: SignIn) {
  if (revocationUrl === null) return;
  const body = new URLSearchParams({ client_id: clientId, token: refreshToken ?? accessToken });
  await readAnswer(await ask(revocationUrl, { method: 'POST', body }));
}

/** Returns whether an error means that the sign-in has expired or the person ended it. */
export const isEnded = (error: unknown) =>
  error instanceof Failure && ['invalid_grant', 'invalid_client'].includes(String(error.code));

async function readDocument(url: string, api: string): Promise<Record<string, unknown>> {
  return readAnswer(await ask(webAddress(url, api)));
}

async function ask(url: string, init: RequestInit = {}): Promise<Exchanged> {
  try {
    return await exchange(url, init, LIMITS);
  } catch (error) {
    const { cause } = error as Error & { cause?: Error };
    const why = cause?.message || (error as Error).message;
    throw new Failure(EXIT.unavailable, `Could not reach ${url}: ${why}.`, { cause: error });
  }
}

async function readAnswer(response: Exchanged): Promise<Record<string, unknown>> {
  const answer = parseJson(response.bytes);
  const known = isRecord(answer) ? answer : {};
  if (response.ok) return known;
  const { error, error_description: why, code } = known;
  throw new Failure(
    response.status >= 500 ? EXIT.unavailable : EXIT.notAllowed,
    `The service refused the sign-in: ${String(why ?? error ?? `status ${response.status}`)}.`,
    { code: typeof code === 'string' ? code : String(error) },
  );
}

/** Returns an address that may be opened: encrypted, unless the service itself isn't. */
function webAddress(value: unknown, api: string): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const allowed = new Set(['https:', new URL(api).protocol]);
  if (url && allowed.has(url.protocol)) return value as string;
  throw unexpected(`${JSON.stringify(value)} is not an address to sign in at`);
}

const unexpected = (why: string) =>
  new Failure(EXIT.other, `Could not sign in: ${why}. Check TERRITORY_URL.`);
