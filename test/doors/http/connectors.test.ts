import { describe, expect, it } from 'vitest';
import { addMember, removeMember, setMayWrite } from '../../../src/people/account/members.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { EXPIRED_RECORDS } from '../../../src/people/account/connections/records.ts';
import { newOrganization } from '../../people/account/organizations.ts';
import { newClient } from '../../support/clients.ts';
import { Browser, Connector, REDIRECT, type Tokens } from '../../support/connector.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, serveKeyed } from '../../support/keyed-app.ts';
import { PASSWORD, Visitor } from '../../support/visitor.ts';

const { db } = await testDatabase('empty');
const app = await serveKeyed(db);
const SITE = `http://127.0.0.1:${app.port}`;
const RESOURCE = `${app.api}/mcp`;
const METADATA = `${SITE}/.well-known/oauth-protected-resource/api/mcp`;

const connector = () => new Connector(SITE, RESOURCE);
const person = () => new Visitor(SITE).signUp();

async function registerConnector(more: Record<string, unknown> = {}): Promise<Connector> {
  const robot = connector();
  await robot.register(more);
  return robot;
}

async function connectPerson({
  scope,
  resource = RESOURCE,
}: { scope?: string; resource?: string } = {}) {
  const pat = await person();
  const robot = new Connector(SITE, resource);
  return { pat, robot, tokens: await robot.connect(pat, { scope }) };
}

const capabilities = (token: string) =>
  fetch(`${app.api}/agent/capabilities`, { headers: { ...newClient(), ...bearer(token) } });

const call = (token: string, name = 'service_get_capabilities', args: object = {}, api = app.api) =>
  fetch(`${api}/mcp`, {
    method: 'POST',
    headers: { ...newClient(), ...bearer(token), 'Content-Type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  });

async function toolResult(answer: Promise<Response>): Promise<Record<string, any>> {
  const { result } = (await (await answer).json()) as { result: Record<string, any> };
  return result.structuredContent as Record<string, any>;
}

const errorOf = async (answer: Response) => ({
  status: answer.status,
  ...((await answer.json()) as { error: string; error_description?: string }),
});

async function tenantOfVisitor({ email }: Visitor) {
  const [row] = await db.query<{ id: string }>(
    `select organization_id as id from memberships join people on people.id = person_id
     where email = $1`,
    [email],
  );
  return tenantOf(db, row!.id);
}

describe('discovery by a connector', () => {
  it('leads from a 401 of the MCP endpoint to the authorization server', async () => {
    const refused = await fetch(RESOURCE, { method: 'POST', headers: newClient() });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('WWW-Authenticate')).toBe(
      `Bearer realm="territory", resource_metadata="${METADATA}", ` +
        'scope="territory:read territory:write"',
    );
    const resource = (await (await fetch(METADATA)).json()) as Record<string, unknown>;
    expect(resource).toMatchObject({ resource: RESOURCE, authorization_servers: [SITE] });
    const server = (await (
      await fetch(`${SITE}/.well-known/oauth-authorization-server`)
    ).json()) as Record<string, unknown>;
    expect(server).toMatchObject({
      issuer: SITE,
      authorization_endpoint: `${SITE}/authorize`,
      token_endpoint: `${SITE}/token`,
      registration_endpoint: `${SITE}/register`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      protected_resources: [RESOURCE, app.api],
    });
  });

  it('starts at invalid tokens too, but not at operations for keys', async () => {
    const invalid = await call('svc_access_' + 'A'.repeat(40));
    expect(invalid.headers.get('WWW-Authenticate')).toContain('error="invalid_token", resource_');
    const keyed = await fetch(`${app.api}/agent/capabilities`, { headers: newClient() });
    expect(keyed.headers.get('WWW-Authenticate')).toBe('Bearer realm="territory"');
  });

  it.each(['', '/api/mcp'])('finds the metadata with the path suffix "%s"', async (path) => {
    const answer = await fetch(`${SITE}/.well-known/oauth-protected-resource${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=86400');
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    const other = await fetch(`${SITE}/.well-known/oauth-protected-resource/other`);
    expect(other.status).toBe(404);
  });

  it.each(['oauth-authorization-server', 'openid-configuration', 'oauth-protected-resource'])(
    'finds %s wherever the MCP endpoint’s path is put',
    async (document) => {
      const wellKnown = `/.well-known/${document}`;
      const root = (await (await fetch(SITE + wellKnown)).json()) as object;
      for (const path of [
        `${wellKnown}/api`,
        `${wellKnown}/api/mcp`,
        `${wellKnown}/api/mcp/`,
        `/api${wellKnown}`,
        `/api/mcp${wellKnown}`,
        `/api${wellKnown}/mcp`,
      ]) {
        const answer = await fetch(SITE + path);
        expect([path, answer.status]).toEqual([path, 200]);
        expect(answer.headers.get('RateLimit-Policy')).toBe('"well-known";q=120;w=60');
        expect(await answer.json()).toEqual(root);
      }
      for (const path of [`${wellKnown}/api/public`, `/other${wellKnown}`]) {
        expect((await fetch(SITE + path)).status).toBe(404);
      }
      // Without a base path, the endpoint is below the root.
      const plain = await serveKeyed(db, {}, '');
      for (const path of [wellKnown, `${wellKnown}/mcp`, `/mcp${wellKnown}`]) {
        expect((await fetch(plain.api + path)).status).toBe(200);
      }
    },
  );

  it('describes the server in terms of OpenID Connect, without promising identity tokens', async () => {
    const read = async (url: string) =>
      (await (await fetch(url)).json()) as Record<string, string | string[]>;
    const openId = await read(`${SITE}/.well-known/openid-configuration`);
    expect(openId).toMatchObject(await read(`${SITE}/.well-known/oauth-authorization-server`));
    expect(openId).toMatchObject({
      scopes_supported: ['territory:read', 'territory:write'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      request_uri_parameter_supported: false,
    });
    expect(await read(openId.jwks_uri as string)).toEqual({ keys: [] });
    const { tokens } = await connectPerson({ scope: 'openid territory:read' });
    expect(tokens).not.toHaveProperty('id_token');
  });

  it('works for a site whose URL has a path', async () => {
    const app = await serveKeyed(db, { apiRoot: () => 'https://example.com/territory/api' });
    const site = `http://127.0.0.1:${app.port}`;
    for (const path of ['', '/api/mcp', '/territory/api/mcp']) {
      const answer = await fetch(`${site}/.well-known/oauth-protected-resource${path}`);
      expect(await answer.json()).toMatchObject({
        resource: 'https://example.com/territory/api/mcp',
        authorization_servers: ['https://example.com/territory'],
      });
    }
    const server = await fetch(`${site}/.well-known/oauth-authorization-server/territory`);
    expect(await server.json()).toMatchObject({
      issuer: 'https://example.com/territory',
      token_endpoint: 'https://example.com/territory/token',
    });
    const robot = new Connector(site, 'https://example.com/territory/api/mcp');
    const { registration_client_uri } = (await (await robot.register()).json()) as {
      registration_client_uri: string;
    };
    expect(registration_client_uri).toBe(
      `https://example.com/territory/register/${robot.clientId}`,
    );
    const redirect = await fetch(site + robot.authorizePath(), { redirect: 'manual' });
    expect(redirect.headers.get('Location')).toMatch(/^\/territory\/connect\/[\w-]+$/);
    const cookies = redirect.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThanOrEqual(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(
        /; path=\/territory\/(connect|authorize)\/[\w-]+; .*samesite=lax; secure; httponly/i,
      );
    }
  });

  it('lets pages of other origins read endpoints that need no person', async () => {
    for (const path of ['/token', '/register', '/revoke']) {
      const options = await fetch(SITE + path, { method: 'OPTIONS' });
      expect(options.status).toBe(204);
      expect(options.headers.get('Access-Control-Allow-Methods')).toBe('POST');
      expect(options.headers.get('Access-Control-Allow-Origin')).toBe('*');
      const answer = await fetch(SITE + path, {
        method: 'POST',
        headers: { Origin: 'https://app.example' },
      });
      expect(answer.status).toBe(400);
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(answer.headers.get('RateLimit-Policy')).toContain(
        path === '/register' ? '"register"' : '"token"',
      );
    }
    const robot = await registerConnector();
    const redirect = await fetch(SITE + robot.authorizePath(), { redirect: 'manual' });
    expect(redirect.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

describe('registration', () => {
  it('returns the address of the registration, readable with its token', async () => {
    const robot = connector();
    const answer = await robot.register({ scope: 'openid other', logo_uri: 'https://x.example/l' });
    expect(answer.status).toBe(201);
    const registration = (await answer.json()) as Record<string, string>;
    expect(registration).toMatchObject({
      client_name: 'Robot',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      registration_client_uri: `${SITE}/register/${robot.clientId}`,
    });
    expect(registration).not.toHaveProperty('client_secret');
    expect(registration).not.toHaveProperty('logo_uri');
    const read = await fetch(registration.registration_client_uri!, {
      headers: bearer(registration.registration_access_token!),
    });
    expect(await read.json()).toMatchObject({ client_id: robot.clientId });
    const stranger = await fetch(registration.registration_client_uri!, { headers: bearer('x') });
    expect(stranger.status).toBe(401);
  });

  it('always creates a public client', async () => {
    const answer = await connector().register({
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      application_type: 'web',
    });
    const registration = await answer.json();
    expect(registration).toMatchObject({ token_endpoint_auth_method: 'none' });
    expect(registration).not.toHaveProperty('client_secret');
  });

  it.each([
    ['none', []],
    ['plain HTTP on another host', ['http://app.example/callback']],
    ['a script', ['javascript:alert(1)']],
    ['a fragment', ['https://app.example/#here']],
    ['a text', 'https://app.example/callback'],
    ['500 URIs', Array.from({ length: 500 }, (_, i) => `https://app.example/${i}`)],
  ])('refuses these redirect URIs: %s', async (_kind, redirect_uris) => {
    const refused = await errorOf(await connector().register({ redirect_uris }));
    expect(refused).toMatchObject({
      status: 400,
      error: expect.stringMatching(/^invalid_(client_metadata|redirect_uri)$/) as string,
    });
  });

  it('removes formatting from names and shortens them', async () => {
    const robot = await registerConnector({ client_name: `Cl\u202Eaude\n<b>${'x'.repeat(200)}` });
    const pat = await person();
    const browser = new Browser(SITE, pat.cookie, newClient());
    const { html } = await browser.follow(robot.authorizePath());
    expect(html).toContain(`Cl aude &lt;b&gt;${'x'.repeat(80 - 'Cl aude <b>'.length)}<`);
  });
});

describe('an authorization request', () => {
  const refusalAt = async (robot: Connector, more: Record<string, string | undefined>) => {
    const answer = await fetch(SITE + robot.authorizePath(more), {
      redirect: 'manual',
      headers: { ...newClient(), Accept: 'text/html' },
    });
    const to = answer.headers.get('Location');
    return { status: answer.status, html: await answer.text(), to: to ? new URL(to, SITE) : null };
  };

  it.each([
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['plain PKCE', { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }],
    ['PKCE without its method', { code_challenge_method: undefined }],
    ['another response type', { response_type: 'token' }],
    ['another audience', { resource: 'https://other.example/mcp' }],
    ['another path of the site as its audience', { resource: `${SITE}/mcp` }],
    ['a query after its audience', { resource: `${RESOURCE}?a` }],
  ])('is refused if it has %s', async (_kind, more) => {
    const { to } = await refusalAt(await registerConnector(), more);
    // Errors are sent in the query, or in the fragment if the response type would send tokens there.
    expect(to!.href).toMatch(/^https:\/\/app\.example\/callback[?#]/);
    const response = new URLSearchParams(to!.search || to!.hash.slice(1));
    expect(response.get('error')).toMatch(
      /^(invalid_request|unsupported_response_type|invalid_target)$/,
    );
    expect(response.get('state')).toBe('xyz');
    expect(response.get('iss')).toBe(SITE);
  });

  it.each([
    ['a redirect to another site', { redirect_uri: 'https://evil.example/callback' }],
    ['a redirect below the registered path', { redirect_uri: `${REDIRECT}/more` }],
    ['an unknown client', { client_id: 'client_x' }],
  ])('doesn’t redirect if it has %s', async (_kind, more) => {
    const { status, to, html } = await refusalAt(await registerConnector(), more);
    expect(status).toBe(400);
    expect(to).toBeNull();
    expect(html).toContain('<h1>');
    expect(html).not.toContain('evil.example');
  });

  it('may redirect to any port of the loopback address', async () => {
    const robot = await registerConnector({
      redirect_uris: ['http://127.0.0.1/done', 'cursor://x/done'],
    });
    const pat = await person();
    for (const redirect_uri of ['http://127.0.0.1:51234/done', 'cursor://x/done']) {
      const redirect = await robot.authorize(pat, { redirect_uri });
      expect(redirect.href).toContain(`${redirect_uri}?code=svc_code_`);
    }
    const other = await refusalAt(robot, { redirect_uri: 'http://127.0.0.1:51234/other' });
    expect(other.to).toBeNull();
  });

  it('asks for all scopes if it names none of them', async () => {
    const { robot } = await connectPerson();
    const pat = await person();
    for (const scope of [undefined, 'openid offline_access', 'territory:write']) {
      const { scope: granted } = await robot.connect(pat, { scope, resource: undefined });
      expect(granted).toBe(
        scope === 'territory:write' ? 'territory:write' : 'territory:read territory:write',
      );
    }
  });

  it('returns the person’s refusal', async () => {
    const redirect = await (
      await registerConnector()
    ).authorize(await person(), {}, { decision: 'deny' });
    expect(redirect.searchParams.get('error')).toBe('access_denied');
    expect(redirect.searchParams.has('code')).toBe(false);
  });
});

describe('the consent page', () => {
  const openConsent = async (pat: Visitor, robot: Connector) => {
    const browser = new Browser(SITE, pat.cookie, newClient());
    return { browser, ...(await browser.follow(robot.authorizePath())) };
  };

  it('asks for sign-in first, with the way back', async () => {
    const robot = await registerConnector();
    const { at } = await openConsent(new Visitor(SITE), robot);
    expect(at).toMatch(/^\/login\?next=%2Fconnect%2F[\w-]+$/);
  });

  it('follows a sign-up', async () => {
    const { at } = await openConsent(new Visitor(SITE), await registerConnector());
    const next = new URL(at, SITE).searchParams.get('next')!;
    const { html } = await new Visitor(SITE).get(at);
    expect(html).toContain(`href="/signup?${new URLSearchParams({ next })}"`);
    const signUp = (visitor: Visitor, to: string) =>
      visitor.post('/signup', {
        organization: 'New Roofs',
        name: 'Nia',
        email: visitor.email,
        password: PASSWORD,
        next: to,
      });
    expect(await signUp(new Visitor(SITE), next)).toMatchObject({ status: 303, to: next });
    expect((await signUp(new Visitor(SITE), '//evil.example')).to).toBe('/account?done=signed-up');
  });

  it('shows the connector, the organization, the rights, and the redirect’s host', async () => {
    const { html } = await openConsent(await person(), await registerConnector());
    for (const text of [
      'Robot',
      'app.example',
      'Best Roofs',
      'remove ZIP codes (can be undone)',
      'not verified',
      'The tools for AI apps',
    ]) {
      expect(html).toContain(text);
    }
    const reading = await registerConnector();
    const browser = new Browser(SITE, (await person()).cookie, newClient());
    const page = await browser.follow(reading.authorizePath({ scope: 'territory:read' }));
    expect(page.html).toContain('It can’t change anything.');
    const whole = await browser.follow(reading.authorizePath({ resource: app.api }));
    expect(whole.html).toContain('The whole API');
    expect(whole.html).not.toContain('The tools for AI apps');
  });

  it('forbids framing and lets its form redirect to the connector', async () => {
    const { browser, at } = await openConsent(await person(), await registerConnector());
    const headers = await browser.headersOf(at);
    const policy = headers.get('Content-Security-Policy')!;
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('form-action');
    expect(headers.get('Referrer-Policy')).toBe('same-origin');
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  it('refuses decisions from another site, from another browser, or a second time', async () => {
    const pat = await person();
    const { browser, at } = await openConsent(pat, await registerConnector());
    const forged = await pat.post(at, { decision: 'allow' }, { 'Sec-Fetch-Site': 'cross-site' });
    expect(forged.status).toBe(403);
    // Pat is signed in to that browser too, but didn't start this request there.
    const elsewhere = await pat.post(at, { decision: 'allow' });
    expect(elsewhere.status).toBe(404);
    expect(elsewhere.html).toContain('started in another browser');
    // The cookies of another request in the same browser don't help.
    const other = await browser.follow((await registerConnector()).authorizePath());
    expect((await browser.send(at, { decision: 'deny' }, other.at)).status).toBe(404);
    expect((await browser.follow(at, { decision: 'deny' })).at).toContain(REDIRECT);
    expect((await browser.follow(at, { decision: 'deny' })).status).toBe(404);
  });

  it('asks for the password again before it gives access, some minutes after the sign-in', async () => {
    const pat = await person();
    const { browser, at } = await openConsent(pat, await registerConnector());
    await db.query(
      `update sessions set confirmed_at = '-infinity'
       where person_id = (select id from people where email = $1)`,
      [pat.email],
    );
    const { organizationId } = await tenantOfVisitor(pat);
    const answer = { decision: 'allow', organization: organizationId };
    const asked = await browser.follow(at, answer);
    expect(asked.status).toBe(403);
    expect(asked.html).toContain('Confirm that it’s you');
    expect(asked.html).toContain(`action="${at}"`);
    expect(asked.html).toContain('name="decision" value="allow"');
    const wrong = await browser.follow(at, { ...answer, 'confirm-password': 'a guess' });
    expect(wrong.status).toBe(403);
    const allowed = await browser.follow(at, { ...answer, 'confirm-password': PASSWORD });
    expect(allowed.at).toContain(`${REDIRECT}?code=`);
  });

  it('refuses an organization that the person doesn’t belong to', async () => {
    const { tenant } = await newOrganization(db);
    const { browser, at } = await openConsent(await person(), await registerConnector());
    const refused = await browser.follow(at, {
      decision: 'allow',
      organization: tenant.organizationId,
    });
    expect(refused.status).toBe(404);
    expect(refused.html).toContain('You don’t belong to this organization');
  });

  it('connects to the organization that the person chooses', async () => {
    const pat = await person();
    const { tenant, organization } = await newOrganization(db);
    await addMember(tenant, { email: pat.email, name: 'Pat', role: 'member' });
    const robot = await registerConnector();
    const { access_token } = await robot.connect(
      pat,
      {},
      { decision: 'allow', organization: organization.id },
    );
    expect(await toolResult(call(access_token))).toMatchObject({
      organization: { name: organization.name },
    });
  });
});

describe('an authorization code', () => {
  const newCode = async () => {
    const robot = await registerConnector();
    const redirect = await robot.authorize(await person());
    return { robot, redirect, code: redirect.searchParams.get('code')! };
  };

  it('comes with its issuer and is redeemed for tokens of an hour', async () => {
    const { robot, redirect, code } = await newCode();
    expect(Object.fromEntries(redirect.searchParams)).toMatchObject({ state: 'xyz', iss: SITE });
    const answer = await robot.redeem(code);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(await answer.json()).toEqual({
      access_token: expect.stringMatching(/^svc_access_\w{40}$/) as string,
      refresh_token: expect.stringMatching(/^svc_refresh_\w{40}$/) as string,
      expires_in: 3600,
      scope: 'territory:read territory:write',
      token_type: 'Bearer',
    });
  });

  it('works once, and revokes its tokens if it’s used again', async () => {
    const { robot, code } = await newCode();
    const tokens = (await (await robot.redeem(code)).json()) as Tokens;
    expect((await call(tokens.access_token)).status).toBe(200);
    expect(await errorOf(await robot.redeem(code))).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
    expect((await call(tokens.access_token)).status).toBe(401);
    expect((await robot.refresh(tokens.refresh_token)).status).toBe(400);
  });

  it.each([
    ['no verifier', { code_verifier: '' }],
    ['another verifier', { code_verifier: 'a'.repeat(43) }],
    ['another redirect', { redirect_uri: 'https://evil.example/callback' }],
    ['another audience', { resource: 'https://other.example/mcp' }],
  ])('is refused with %s', async (_kind, more) => {
    const { robot, code } = await newCode();
    expect(await errorOf(await robot.redeem(code, more))).toMatchObject({
      status: 400,
      error: expect.stringMatching(/^invalid_(grant|target|request)$/) as string,
    });
  });

  it('is refused from another connector', async () => {
    const { robot, code } = await newCode();
    const thief = await registerConnector();
    thief.verifier = robot.verifier;
    expect(await errorOf(await thief.redeem(code))).toMatchObject({ error: 'invalid_grant' });
  });

  it('is redeemed at most once by concurrent requests, which then revoke the tokens', async () => {
    const { robot, code } = await newCode();
    const answers = await Promise.all(Array.from({ length: 6 }, () => robot.redeem(code)));
    const served = answers.filter(({ status }) => status === 200);
    expect(served.length).toBeLessThanOrEqual(1);
    for (const answer of served) {
      const { access_token } = (await answer.json()) as Tokens;
      expect((await call(access_token)).status).toBe(401);
    }
  });
});

describe('a refresh token', () => {
  it('is replaced by a new one with the same rights', async () => {
    const { robot, tokens } = await connectPerson({ scope: 'territory:read' });
    const next = (await (await robot.refresh(tokens.refresh_token)).json()) as Tokens;
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect(next.scope).toBe('territory:read');
    expect((await call(next.access_token)).status).toBe(200);
    expect((await robot.refresh(next.refresh_token)).status).toBe(200);
  });

  it('ends the connection if it’s used again', async () => {
    const { robot, tokens } = await connectPerson();
    const next = (await (await robot.refresh(tokens.refresh_token)).json()) as Tokens;
    expect(await errorOf(await robot.refresh(tokens.refresh_token))).toMatchObject({
      error: 'invalid_grant',
    });
    expect((await call(next.access_token)).status).toBe(401);
    expect((await robot.refresh(next.refresh_token)).status).toBe(400);
  });

  it('can’t extend the granted rights', async () => {
    const { robot, tokens } = await connectPerson({ scope: 'territory:read' });
    const more = { scope: 'territory:read territory:write' };
    expect(await errorOf(await robot.refresh(tokens.refresh_token, more))).toMatchObject({
      error: 'invalid_scope',
    });
  });
});

describe('an access token', () => {
  it('works only at the MCP endpoint', async () => {
    const { tokens } = await connectPerson();
    expect((await capabilities(tokens.access_token)).status).toBe(401);
    expect((await call(tokens.refresh_token)).status).toBe(401);
  });

  it('works at operations for callers, too, if it was granted for the whole API', async () => {
    const { robot, pat, tokens } = await connectPerson({ resource: app.api });
    const next = (await (await robot.refresh(tokens.refresh_token)).json()) as Tokens;
    for (const { access_token: token } of [tokens, next]) {
      const answer = await capabilities(token);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ organization: { name: 'Best Roofs' } });
      expect((await call(token)).status).toBe(200);
    }
    const id = /name="connection" value="([^"]+)"/.exec(
      (await pat.get('/account/connections')).html,
    )![1]!;
    await pat.post('/account/connections', { connection: id });
    expect((await capabilities(next.access_token)).status).toBe(401);
  });

  it('can’t change its audience, with the code or later', async () => {
    const { robot, pat, tokens } = await connectPerson();
    const refused = { status: 400, error: 'invalid_target' };
    const wider = { resource: app.api };
    expect(await errorOf(await robot.refresh(tokens.refresh_token, wider))).toMatchObject(refused);
    const code = (await robot.authorize(pat)).searchParams.get('code')!;
    expect(await errorOf(await robot.redeem(code, wider))).toMatchObject(refused);
  });

  it.each([
    ['the MCP endpoint with a slash', `${RESOURCE}/`, 401],
    ['the MCP endpoint in other letters', RESOURCE.replace('http', 'HTTP'), 401],
    ['the MCP endpoint with escapes', RESOURCE.replace('/mcp', '/%6dc%70'), 401],
    ['the MCP endpoint with dot segments', RESOURCE.replace('/mcp', '/x/.././mcp'), 401],
    ['the API with a slash', `${app.api}/`, 200],
    ['the root of the site', `${SITE}/`, 200],
    ['the root of the site without a slash', SITE, 200],
  ])('can be for %s', async (_name, resource, statusAtApi) => {
    const { robot, tokens } = await connectPerson({ resource });
    const refreshed = await robot.refresh(tokens.refresh_token, { resource });
    for (const { access_token: token } of [tokens, (await refreshed.json()) as Tokens]) {
      expect((await call(token)).status).toBe(200);
      expect((await capabilities(token)).status).toBe(statusAtApi);
    }
  });

  it('can be for a resource that the client spells in two ways', async () => {
    const robot = await registerConnector();
    const code = (await robot.authorize(await person())).searchParams.get('code')!;
    expect((await robot.redeem(code, { resource: `${RESOURCE}/` })).status).toBe(200);
  });

  it('can’t sign URLs, which would outlive the connection', async () => {
    for (const resource of [RESOURCE, app.api]) {
      const { tokens } = await connectPerson({ resource });
      const answer = await fetch(`${app.api}/static/signed-urls`, {
        method: 'POST',
        headers: {
          ...newClient(),
          ...bearer(tokens.access_token),
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ url: '/static/light/metro:dallas-tx/auto/300x200.png' }),
      });
      expect(await errorOf(answer)).toMatchObject({
        status: 403,
        code: 'access_token_not_allowed',
        error: expect.stringContaining('Send an API key, or sign in on the site') as string,
      });
    }
  });

  it('works only for the audience that it was granted for', async () => {
    const other = await serveKeyed(db, { apiRoot: () => 'https://other.example/api' });
    const { tokens } = await connectPerson();
    const api = `http://127.0.0.1:${other.port}/api`;
    const refused = await call(tokens.access_token, undefined, {}, api);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('is for another service') as string },
    });
  });

  it('is stored only as a hash', async () => {
    const { tokens } = await connectPerson();
    const [row] = await db.query<{ text: string }>(
      `select string_agg(r::text, ' ') as text from oauth_records r`,
    );
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(row!.text).not.toContain(token.slice(-20));
    }
    expect(row!.text).not.toMatch(/svc_(access|refresh|code|registration)/);
  });

  it('expires', async () => {
    const { tokens } = await connectPerson();
    await db.query(`update oauth_records set expires_at = now() - interval '1 second'
      where kind = 'AccessToken'`);
    expect((await call(tokens.access_token)).status).toBe(401);
  });

  it('can be revoked only by its connector', async () => {
    const { robot, tokens } = await connectPerson();
    const revoke = (by: Connector) =>
      fetch(`${SITE}/revoke`, {
        method: 'POST',
        headers: newClient(),
        body: new URLSearchParams({ client_id: by.clientId, token: tokens.refresh_token }),
      });
    await revoke(await registerConnector());
    expect((await call(tokens.access_token)).status).toBe(200);
    expect((await revoke(robot)).status).toBe(200);
    expect((await call(tokens.access_token)).status).toBe(401);
    expect((await robot.refresh(tokens.refresh_token)).status).toBe(400);
  });

  it('stops working when the person leaves, even if they return', async () => {
    const pat = await person();
    const { tenant, organization } = await newOrganization(db);
    const join = () => addMember(tenant, { email: pat.email, name: 'Pat', role: 'member' });
    await join();
    const robot = await registerConnector();
    const answer = { decision: 'allow', organization: organization.id };
    const tokens = await robot.connect(pat, {}, answer);
    expect((await call(tokens.access_token)).status).toBe(200);
    await removeMember(tenant, pat.email);
    expect((await call(tokens.access_token)).status).toBe(401);
    await join();
    expect((await call(tokens.access_token)).status).toBe(401);
    expect(await errorOf(await robot.refresh(tokens.refresh_token))).toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('stops working when the person changes their password', async () => {
    const { robot, pat, tokens } = await connectPerson();
    const fields = { current: PASSWORD, next: 'another four words' };
    expect((await pat.post('/account/password', fields)).to).toContain('password-changed');
    expect((await call(tokens.access_token)).status).toBe(401);
    expect((await robot.refresh(tokens.refresh_token)).status).toBe(400);
    expect((await pat.get('/account/connections')).html).toContain('No apps are connected yet');
  });

  it('stops working while the person lacks a second factor that the organization requires', async () => {
    const { pat, tokens } = await connectPerson();
    const { organizationId } = await tenantOfVisitor(pat);
    const require = (required: boolean) =>
      db.query('update organizations set requires_second_factor = $2 where id = $1', [
        organizationId,
        required,
      ]);
    await require(true);
    expect((await call(tokens.access_token)).status).toBe(401);
    await require(false);
    expect((await call(tokens.access_token)).status).toBe(200);
  });

  it('requires an active subscription, like a key', async () => {
    const { pat, tokens } = await connectPerson();
    await changeSubscription(await tenantOfVisitor(pat), { status: 'cancelled' });
    expect((await call(tokens.access_token)).status).toBe(402);
  });

  it('counts against the person’s limit, across connectors', async () => {
    const { pat, tokens } = await connectPerson();
    const remaining = async (token: string) =>
      Number((await call(token)).headers.get('RateLimit')!.match(/"mcp";r=(\d+)/)![1]);
    const before = await remaining(tokens.access_token);
    const second = await (await registerConnector()).connect(pat);
    expect(await remaining(second.access_token)).toBe(before - 1);
  });
});

describe('write access of a connector', () => {
  const remove = { brand: 'roofs', zips: ['75201'], confirm: true };
  const connectedWithBrand = async (options: { scope?: string } = {}) => {
    const all = await connectPerson(options);
    const tenant = await tenantOfVisitor(all.pat);
    await createBrand(tenant, { name: 'Roofs', slug: 'roofs' });
    return { ...all, tenant };
  };

  it('is refused if the person granted only reading', async () => {
    const { tokens } = await connectedWithBrand({ scope: 'territory:read' });
    const { access_token } = tokens;
    expect(await toolResult(call(access_token))).toMatchObject({ mayWrite: false });
    expect(await toolResult(call(access_token, 'service_remove_territory', remove))).toMatchObject({
      code: 'write_not_entitled',
      error: expect.stringContaining('Pat gave Robot read-only access') as string,
    });
  });

  it('follows the person’s own write access at once', async () => {
    const { pat, tenant, tokens } = await connectedWithBrand();
    const { access_token } = tokens;
    expect(await toolResult(call(access_token))).toMatchObject({ mayWrite: true });
    await setMayWrite(tenant, pat.email, false);
    expect(await toolResult(call(access_token))).toMatchObject({
      mayWrite: false,
      whyNot: expect.stringContaining('Pat has read-only access to Best Roofs') as string,
    });
    expect(await toolResult(call(access_token, 'service_remove_territory', remove))).toMatchObject({
      code: 'write_not_entitled',
    });
    await setMayWrite(tenant, pat.email, true);
    expect(await toolResult(call(access_token))).toMatchObject({ mayWrite: true });
  });

  it('is logged in the activity as the person via the connector', async () => {
    const { tokens } = await connectedWithBrand();
    const share = { brand: 'roofs', title: 'Ours', confirm: true };
    await call(tokens.access_token, 'service_share_territory_map', share);
    const { entries } = await toolResult(call(tokens.access_token, 'service_get_activity'));
    expect((entries as object[])[0]).toMatchObject({ by: 'Pat via Robot', byKind: 'person' });
  });
});

describe('a person’s connections', () => {
  it('are listed, and end at once when the person ends them', async () => {
    const { pat, robot, tokens } = await connectPerson();
    await call(tokens.access_token);
    const { html } = await pat.get('/account/connections');
    expect(html).toContain('Robot');
    expect(html).toContain('app.example');
    expect(html).toContain('Best Roofs');
    const id = /name="connection" value="([^"]+)"/.exec(html)![1]!;
    const stranger = await person();
    expect((await stranger.post('/account/connections', { connection: id })).status).toBe(404);
    expect(await pat.post('/account/connections', { connection: id })).toMatchObject({
      to: '/account/connections?done=connection-ended',
    });
    expect((await call(tokens.access_token)).status).toBe(401);
    expect((await robot.refresh(tokens.refresh_token)).status).toBe(400);
    expect((await pat.get('/account/connections')).html).toContain('No apps are connected yet');
  });

  it('omit connectors that never redeemed their code', async () => {
    const pat = await person();
    const robot = await registerConnector();
    const browser = new Browser(SITE, pat.cookie, newClient());
    const { at, html } = await browser.follow(robot.authorizePath());
    const organization = /name="organization" value="([^"]+)"/.exec(html)![1]!;
    expect((await browser.send(at, { decision: 'allow', organization })).status).toBe(303);
    expect((await pat.get('/account/connections')).html).toContain('No apps are connected yet');
  });

  it('are explained with the addresses of this service', async () => {
    const { html } = await (await person()).get('/account/connect');
    expect(html).toContain(`<code>${RESOURCE}</code>`);
    expect(html).toContain(`TERRITORY_URL=${app.api}`);
  });
});

it('lets tokens and clients that were never connected expire, but no connected client', async () => {
  const { robot, tokens } = await connectPerson();
  const idle = await registerConnector();
  await db.query(
    `update oauth_records set expires_at = now() - interval '1 second'
    where expires_at is not null and (client_id = $1 or payload->>'clientId' = $1 or client_id = $2)`,
    [robot.clientId, idle.clientId],
  );
  await EXPIRED_RECORDS.deleteSome(db, 1_000);
  const kinds = await db.query<{ kind: string }>(
    'select kind from oauth_records where client_id = any($1) order by kind',
    [[robot.clientId, idle.clientId]],
  );
  expect(kinds.map(({ kind }) => kind)).toEqual(['Client', 'RegistrationAccessToken']);
  expect((await call(tokens.access_token)).status).toBe(401);
});
