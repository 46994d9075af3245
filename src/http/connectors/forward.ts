/** Hands requests of connectors to the authorization server, and its answers back. */
import type { Context, Middleware } from 'koa';
import type { AuthorizationServer } from '../../oauth/authorization.ts';
import { COOKIES, ROUTES } from '../../oauth/provider.ts';
import { scopesAsked } from '../../oauth/scopes.ts';
import { routeFound } from '../requests/find-operation.ts';
import { connectorOperations } from './operations.ts';

const served = new Set(connectorOperations);

/** Before all that reads bodies. @param site address of the site's root, known once the service listens */
export function forwardToAuthorizationServer(
  server: AuthorizationServer,
  site: () => string,
): Middleware {
  return async (ctx, next) => {
    const answering = routeFound(ctx)?.answering;
    if (!answering || !served.has(answering)) return next();
    const provider = await server.provider();
    const inner = provider.createContext(ctx.req, ctx.res);
    seemReached(inner, new URL(site()));
    if (answering.path === ROUTES.authorization) inner.query = authorizationQuery(ctx.query);
    // Whose pages may read the answer is settled already, for all operations alike.
    if (!answering.private) ctx.set('Access-Control-Allow-Origin', '*');
    let thrown: unknown;
    try {
      await provider.middleware[0]!(inner as never, async () => {});
    } catch (error) {
      thrown = error;
    }
    const fault: unknown = inner.state.fault ?? thrown;
    forgetSession(ctx);
    if (fault !== undefined) {
      ctx.remove('Location');
      throw fault;
    }
    ctx.status = inner.status;
    if (inner.body !== undefined && inner.body !== null) ctx.body = inner.body;
  };
}

/**
 * As people reach us, not as the proxy before us does: addresses that are told, and whether cookies
 * are for TLS alone, follow from it.
 */
function seemReached(inner: Context, { protocol, host, pathname }: URL): void {
  Object.defineProperties(inner.request, {
    protocol: { value: protocol.slice(0, -1) },
    host: { value: host },
  });
  inner.mountPath = pathname.replace(/\/$/, '');
}

/** Parameters that mean something here; others are passed over (RFC 6749, 3.1). */
const PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
];
const PROMPTS = ['none', 'login', 'consent'];

function authorizationQuery(query: Context['query']): Context['query'] {
  const kept: Context['query'] = {};
  for (const name of PARAMETERS) if (query[name] !== undefined) kept[name] = query[name];
  const prompts = [query.prompt ?? ''].flat().join(' ').split(' ');
  const prompt = PROMPTS.filter((one) => prompts.includes(one)).join(' ');
  const scope = scopesAsked([query.scope ?? ''].flat().join(' ')).join(' ');
  return { ...kept, scope, ...(prompt !== '' && { prompt }) };
}

/** It keeps none: see `oauth/records.ts`. */
function forgetSession({ res }: Context): void {
  const cookies = [res.getHeader('Set-Cookie') ?? []].flat().map(String);
  const kept = cookies.filter((cookie) => !cookie.startsWith(COOKIES.session));
  if (kept.length > 0) res.setHeader('Set-Cookie', kept);
  else res.removeHeader('Set-Cookie');
}
