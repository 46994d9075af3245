/** Forwards requests of connectors to the authorization server, and returns its answers. */
import type { Context, Middleware } from 'koa';
import type { AuthorizationServer } from '../../../people/oauth/authorization.ts';
import { COOKIES, ROUTES } from '../../../people/oauth/connector-terms.ts';
import type { Addresses } from '../../../people/oauth/discovery.ts';
import { ownSpellings } from '../../../people/oauth/resource-indicators.ts';
import { requestedScopes } from '../../../people/oauth/scopes.ts';
import { routeFound } from '../requests/find-operation.ts';
import { withBoundedBody } from './bounded-body.ts';
import { connectorOperations } from './operations.ts';

const served = new Set(connectorOperations);

/**
 * Runs before all steps that read bodies.
 * @param addresses available once the service listens
 */
export function forwardToAuthorizationServer(
  server: AuthorizationServer,
  addresses: () => Addresses,
): Middleware {
  return async (ctx, next) => {
    const answering = routeFound(ctx)?.answering;
    if (!answering || !served.has(answering)) return next();
    const provider = await server.provider();
    const own = (resources: readonly string[]) => ownSpellings(resources, addresses());
    const req = ctx.method === 'POST' ? await withBoundedBody(ctx.req, own) : ctx.req;
    const inner = provider.createContext(req, ctx.res);
    usePublicUrl(inner, new URL(addresses().site));
    if (answering.path === ROUTES.authorization) {
      const resource = own([ctx.query.resource ?? []].flat());
      inner.query = { ...authorizationQuery(ctx.query), resource };
    }
    // The CORS rules of our operations apply instead of the server's.
    if (!answering.private) ctx.set('Access-Control-Allow-Origin', '*');
    let thrown: unknown;
    try {
      await provider.middleware[0]!(inner as never, async () => {});
    } catch (error) {
      thrown = error;
    }
    const fault: unknown = inner.state.fault ?? thrown;
    removeSessionCookie(ctx);
    if (fault !== undefined) {
      ctx.remove('Location');
      throw fault;
    }
    ctx.status = inner.status;
    if (inner.body !== undefined && inner.body !== null) ctx.body = inner.body;
  };
}

/**
 * Shows the server its public URL instead of the URL that a proxy requests. Links in its answers and
 * `Secure` cookies depend on it.
 */
function usePublicUrl(inner: Context, { protocol, host, pathname }: URL): void {
  Object.defineProperties(inner.request, {
    protocol: { value: protocol.slice(0, -1) },
    host: { value: host },
  });
  inner.mountPath = pathname.replace(/\/$/, '');
}

/** Supported parameters; others are ignored (RFC 6749, 3.1). */
const PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
];
const PROMPTS = ['none', 'login', 'consent'];

function authorizationQuery(query: Context['query']): Context['query'] {
  const kept: Context['query'] = {};
  for (const name of PARAMETERS) if (query[name] !== undefined) kept[name] = query[name];
  const prompts = [query.prompt ?? ''].flat().join(' ').split(' ');
  const prompt = PROMPTS.filter((one) => prompts.includes(one)).join(' ');
  const scope = requestedScopes([query.scope ?? ''].flat().join(' ')).join(' ');
  return { ...kept, scope, ...(prompt !== '' && { prompt }) };
}

/** Removes the server's session cookie: sessions aren't stored (see `people/account/connections/records.ts`). */
function removeSessionCookie({ res }: Context): void {
  const cookies = [res.getHeader('Set-Cookie') ?? []].flat().map(String);
  const kept = cookies.filter((cookie) => !cookie.startsWith(COOKIES.session));
  if (kept.length > 0) res.setHeader('Set-Cookie', kept);
  else res.removeHeader('Set-Cookie');
}
