import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newClient } from '../../support/clients.ts';
import { Connector } from '../../support/connector.ts';
import { cuttableDatabase } from '../../support/cuttable-database.ts';
import { testDatabase } from '../../support/database.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { switchProtocols } from '../../support/servers/endless.ts';
import { metadataHost } from '../../support/servers/metadata-host.ts';
import { runs } from '../../support/thorough.ts';
import { Visitor } from '../../support/visitor.ts';

const { db, env } = await testDatabase('empty');
const app = await serveKeyed(db);
const SITE = `http://127.0.0.1:${app.port}`;
const RESOURCE = `${app.api}/mcp`;

const loggedFaults = (log: string) => log.split('\n').filter((line) => /"level":50/.test(line));

const post = (path: string, body: string, type = 'application/x-www-form-urlencoded') =>
  fetch(SITE + path, { method: 'POST', headers: { ...newClient(), 'Content-Type': type }, body });

describe('the authorization server', () => {
  const words = fc.oneof(
    fc.string(),
    fc.constantFrom('', 'none', 'S256', 'a'.repeat(50), '%', '\0', 'https://x.example/', 'null'),
  );
  const registration = fc.dictionary(
    fc.constantFrom(
      'client_name',
      'redirect_uris',
      'grant_types',
      'response_types',
      'token_endpoint_auth_method',
      'application_type',
      'client_uri',
      'contacts',
      'jwks',
      'jwks_uri',
      'sector_identifier_uri',
      'scope',
      'default_max_age',
      'software_id',
      '__proto__',
    ),
    fc.oneof(fc.jsonValue(), words, fc.constant(['https://x.example/cb'])),
  );

  it('accepts or refuses random registrations without failing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(registration, fc.jsonValue()), async (metadata) => {
        const answer = await post('/register', JSON.stringify(metadata), 'application/json');
        expect([201, 400]).toContain(answer.status);
        await answer.json();
      }),
      { numRuns: runs(150) },
    );
    expect(loggedFaults(app.log())).toEqual([]);
  });

  const parameters = fc.dictionary(
    fc.constantFrom(
      'response_type',
      'client_id',
      'redirect_uri',
      'scope',
      'state',
      'resource',
      'code_challenge',
      'code_challenge_method',
      'prompt',
      'max_age',
      'nonce',
      'request',
      'request_uri',
      'response_mode',
      'claims',
      'dpop_jkt',
    ),
    words,
  );

  it('redirects or refuses random authorization requests without failing', async () => {
    const robot = new Connector(SITE, RESOURCE);
    await robot.register();
    await fc.assert(
      fc.asyncProperty(parameters, fc.boolean(), async (more, twice) => {
        const path = robot.authorizePath(more);
        const doubled = twice ? `${path}&state=a&scope=b&resource=c&prompt=d` : path;
        const answer = await fetch(SITE + doubled, { redirect: 'manual', headers: newClient() });
        expect([303, 400]).toContain(answer.status);
      }),
      { numRuns: runs(150) },
    );
    expect(loggedFaults(app.log())).toEqual([]);
  });

  it('refuses random token requests without failing', async () => {
    const robot = new Connector(SITE, RESOURCE);
    await robot.register();
    const fields = fc.dictionary(
      fc.constantFrom('grant_type', 'code', 'refresh_token', 'token', 'scope', 'resource', 'x'),
      fc.oneof(words, fc.constantFrom('authorization_code', 'refresh_token', 'implicit')),
    );
    await fc.assert(
      fc.asyncProperty(
        fields,
        fc.constantFrom('/token', '/revoke'),
        fc.boolean(),
        async (more, path, known) => {
          const body = new URLSearchParams(more);
          if (known) body.set('client_id', robot.clientId);
          const answer = await post(path, `${body}`);
          expect([200, 400, 401]).toContain(answer.status);
        },
      ),
      { numRuns: runs(150) },
    );
    expect(loggedFaults(app.log())).toEqual([]);
  });

  it.each([
    ['/token', 'GET', 'POST'],
    ['/register', 'DELETE', 'POST'],
    ['/authorize', 'POST', 'HEAD, GET'],
  ])('answers %s by %s with the supported methods', async (path, method, allowed) => {
    const answer = await fetch(SITE + path, { method, headers: newClient() });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe(allowed);
  });

  it.each([
    ['text', 400, 'text/plain', '{}'],
    ['half of JSON', 400, 'application/json', '{"a":'],
    ['a hundred kilobytes', 413, 'application/json', JSON.stringify({ a: 'a'.repeat(100_000) })],
  ])('refuses a registration that is %s with %i', async (_kind, status, type, body) => {
    expect((await post('/register', body, type)).status).toBe(status);
  });
});

describe('a client metadata document', () => {
  it.each([
    [
      'about another client',
      (res, of) => res.end(JSON.stringify({ ...of, client_id: 'https://x.example/' })),
    ],
    ['not JSON', (res) => res.end('<html>')],
    ['missing', (res) => res.writeHead(404).end()],
    ['a switch to another protocol', (res) => switchProtocols(res.socket!)],
    ['a redirect', (res) => res.writeHead(302, { Location: 'https://x.example/' }).end()],
    ['too large', (res, of) => res.end(JSON.stringify({ ...of, more: 'x'.repeat(10_000) }))],
    ['one with a secret', (res, of) => res.end(JSON.stringify({ ...of, client_secret: 'x' }))],
    [
      'one with its own keys',
      (res, of) =>
        res.end(JSON.stringify({ ...of, token_endpoint_auth_method: 'private_key_jwt' })),
    ],
  ] as [string, (res: import('node:http').ServerResponse, of: object) => void][])(
    'is refused if it is %s',
    async (_kind, answer) => {
      const host = await metadataHost(({ url }, res, origin) =>
        answer(res, {
          client_id: origin + url,
          client_name: 'Robot',
          redirect_uris: ['https://app.example/callback'],
          token_endpoint_auth_method: 'none',
        }),
      );
      const trusting = await serveKeyed(db, { clientFetch: host.fetch });
      const robot = new Connector(`http://127.0.0.1:${trusting.port}`, `${trusting.api}/mcp`);
      robot.clientId = `${host.origin}/client.json`;
      const refused = await fetch(robot.site + robot.authorizePath(), {
        redirect: 'manual',
        headers: { ...newClient(), Accept: 'text/html' },
      });
      expect(refused.status).toBe(400);
      expect(refused.headers.get('Location')).toBeNull();
      // oidc-provider fetches the document again if it couldn't read it.
      expect(new Set(host.requested)).toEqual(new Set(['/client.json']));
      expect(loggedFaults(trusting.log())).toEqual([]);
    },
  );

  it('is not fetched from an address of a private network', async () => {
    const host = await metadataHost();
    const robot = new Connector(SITE, RESOURCE);
    robot.clientId = `${host.origin}/client.json`;
    const refused = await fetch(SITE + robot.authorizePath(), { redirect: 'manual' });
    expect(refused.status).toBe(400);
    expect(host.requested).toEqual([]);
  });
});

it('answers 503 while the database is unreachable, and keeps codes and tokens valid', async () => {
  const { db: cuttable, proxy } = await cuttableDatabase(env);
  const shaky = await serveKeyed(cuttable);
  const site = `http://127.0.0.1:${shaky.port}`;
  const pat = await new Visitor(site).signUp();
  const robot = new Connector(site, `${shaky.api}/mcp`);
  const tokens = await robot.connect(pat);
  const redirect = await robot.authorize(pat);
  await proxy.cut();
  for (const answer of [
    await robot.refresh(tokens.refresh_token),
    await robot.redeem(redirect.searchParams.get('code')!),
    await fetch(site + robot.authorizePath(), { redirect: 'manual' }),
    await new Connector(site, '').register(),
  ]) {
    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('5');
    expect(answer.headers.get('Location')).toBeNull();
  }
  await proxy.mend();
  expect((await robot.redeem(redirect.searchParams.get('code')!)).status).toBe(200);
  expect((await robot.refresh(tokens.refresh_token)).status).toBe(200);
});
