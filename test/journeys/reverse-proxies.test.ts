/** The service behind nginx and Caddy, with the configurations of the guide “Run it in production”. */
import { brotliDecompressSync } from 'node:zlib';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapsWith } from '../../src/maps/cartography/map-renderer.ts';
import { startSession } from '../../src/people/account/sessions.ts';
import { signUp } from '../../src/people/account/sign-up.ts';
import { tenantOf } from '../../src/people/account/tenant.ts';
import { TOOLS } from '../../src/doors/tools/tools.ts';
import { createApp } from '../../src/app.ts';
import { IMPORT_FILE_MB } from '../../src/base/contract/bounds.ts';
import { readConfig, siteRootOf } from '../../src/config.ts';
import { clientAddress } from '../../src/doors/http/requests/client-address.ts';
import { listen, type RunningServer } from '../../src/doors/http/requests/server.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { testDatabase } from '../support/database.ts';
import { bearer, newKey } from '../support/keyed-app.ts';
import { testLog } from '../support/log.ts';
import {
  hasProxy,
  startProxy,
  type ProxyName,
  type ReverseProxy,
} from '../support/servers/reverse-proxy.ts';
import { productionExample } from '../doors/site/docs/production-examples.ts';
import { bareParts } from '../support/bare-app.ts';

const { db } = await testDatabase('sample');
const settings = productionExample('production-systemd-env').matchAll(/^(\w+)=(.*)$/gm);
const config = readConfig(
  Object.fromEntries(Array.from(settings, ([, name, value]) => [name, value])),
);

const app = createApp(
  bareParts({
    db,
    renderer: mapsWith({ render: () => Promise.reject(new Error('this app has no renderer')) }),
    log: testLog(),
    apiRoot: () => siteRootOf(config),
    clientOf: clientAddress(config.trustedProxies),
  }),
  { basePath: config.basePath },
);
let server: RunningServer | undefined;
let port = 0;
async function start() {
  server = await listen(app.callback(), { host: config.host, port });
  port = server.port;
}
const stop = () => server!.stop(0);
await start();
afterAll(stop);

const TILE = '/tiles/zips/8/59/103.mvt';
const MB = 1024 * 1024;
const json = { 'content-type': 'application/json' };
const fetchDirectly = (path: string, headers = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers });
const { key } = await newKey(db);

/** `apt-get install nginx-light caddy` installs both. */
const NAMES = ['nginx', 'caddy'] as const;
const installed = NAMES.filter(hasProxy);
const proxies = {} as Record<ProxyName, ReverseProxy>;
beforeAll(async () => {
  for (const name of installed) proxies[name] = await startProxy(name, port);
});
afterAll(() => Promise.all(installed.map((name) => proxies[name]?.stop())));

describe.each(installed)('behind %s', (name) => {
  const ask: ReverseProxy['ask'] = (path, more) => proxies[name].ask(path, more);

  it('answers contain the public address, over HTTPS', async () => {
    const tileJson = await ask('/tiles/zips.json');
    expect(tileJson.headers['strict-transport-security']).toBe('max-age=31536000');
    expect(JSON.parse(tileJson.body.toString()).tiles[0]).toMatch(
      /^https:\/\/territory\.example\.com\/tiles\/zips\//,
    );
    const metadata = await ask('/.well-known/oauth-authorization-server');
    expect(JSON.parse(metadata.body.toString()).issuer).toBe('https://territory.example.com');
  });

  it('each client has its own limit, whatever it claims', async () => {
    const left = async (from: string, headers = {}) => {
      const answer = await ask('/public/vertical/roofing', { from, headers });
      return Number(answer.headers['x-ratelimit-remaining']);
    };
    const [one, two] = name === 'nginx' ? ['127.0.1.1', '127.0.1.2'] : ['127.0.2.1', '127.0.2.2'];
    const quota = (await left(one)) + 1;
    expect(await left(one, { 'x-forwarded-for': '203.0.113.9' })).toBe(quota - 2);
    expect(await left(two)).toBe(quota - 1);
  });

  it('answers are the service’s own: compressed once, and 304 for a known ETag', async () => {
    const headers = { 'accept-encoding': 'gzip, br' };
    const [own, passed] = [
      await fetchDirectly('/styles/light.json', headers),
      await ask('/styles/light.json', { headers }),
    ];
    expect(passed.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(passed.body).toString()).toBe(await own.text());
    const { etag } = passed.headers;
    expect(etag).toBe(own.headers.get('ETag'));
    const again = { ...headers, 'if-none-match': etag! };
    expect((await ask('/styles/light.json', { headers: again })).status).toBe(304);
    const plain = { 'accept-encoding': 'identity' };
    const uncompressed = await ask('/styles/light.json', { headers: plain });
    expect(uncompressed.headers['content-encoding']).toBeUndefined();
  });

  it('MCP works', async () => {
    const answer = await ask('/mcp', {
      method: 'POST',
      headers: { ...json, ...bearer(key), accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body.toString()).result.tools).toHaveLength(TOOLS.length);
  });

  it('a body that is too large gets the service’s explanation', async () => {
    for (const megabytes of [2, IMPORT_FILE_MB + 1]) {
      const answer = await ask('/mcp', {
        method: 'POST',
        headers: { ...json, ...bearer(key) },
        body: Buffer.alloc(megabytes * MB, 'x'),
      });
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.body.toString())).toMatchObject({
        error: { data: { code: 'content_too_large' } },
      });
    }
  });

  it('the largest import file arrives', async () => {
    const email = `${name}@proxies.example`;
    const password = 'four words make one';
    const owner = await signUp(db, { name, email, password, organization: `Behind ${name}` });
    const tenant = tenantOf(db, owner.organization.id);
    await createBrand(tenant, { name: 'Star' });
    const place = { userAgent: 'test', client: '127.0.0.2' };
    const secret = await startSession(db, owner.personId, place);
    const parts = [
      '--part',
      'Content-Disposition: form-data; name="file"; filename="zips.csv"',
      '',
      `zip,note\n75203,${'x'.repeat(IMPORT_FILE_MB * MB - 1_000)}\n`,
      '--part--',
    ];
    const answer = await ask('/account/brands/star/transfer/check', {
      method: 'POST',
      headers: {
        'content-type': 'multipart/form-data; boundary=part',
        cookie: `__Host-session=${secret}`,
        origin: 'https://territory.example.com',
      },
      body: parts.join('\r\n'),
    });
    expect([answer.status, answer.headers.location]).toEqual([
      303,
      expect.stringMatching(/^\/account\/brands\/star\/transfer\/reports\//),
    ]);
  });
});

describe.skipIf(!hasProxy('nginx'))('nginx', () => {
  it('keeps tiles without what belongs to one client, and sends them during a restart', async () => {
    const proxy = proxies.nginx;
    const fresh = await proxy.ask(TILE);
    expect(fresh.headers['x-cache']).toBe('MISS');
    await stop();
    const kept = await proxy.ask(TILE, { from: '127.0.0.3' });
    expect((await proxy.ask('/data-study')).status).toBe(502);
    await start();
    expect([kept.status, kept.headers['x-cache']]).toEqual([200, 'HIT']);
    expect(kept.body.equals(fresh.body) && fresh.body.length > 1_000).toBe(true);
    for (const answer of [fresh, kept]) {
      const names = Object.keys(answer.headers).filter((header) => /ratelimit/.test(header));
      expect(names).toEqual([]);
    }
    expect(kept.headers['x-request-id']).not.toBe(fresh.headers['x-request-id']);
  });
});

describe.skipIf(!hasProxy('caddy'))('Caddy', () => {
  it('lets requests wait while the service restarts', async () => {
    await stop();
    const answer = proxies.caddy.ask('/public/vertical/roofing');
    await delay(300);
    await start();
    expect((await answer).status).toBe(200);
  });
});
