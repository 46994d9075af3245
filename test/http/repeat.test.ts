/** Cached answers that are repeated without Koa. */
import { get } from 'node:http';
import { afterAll, expect, it, vi } from 'vitest';
import { mapsWith } from '../../src/cartography/map-renderer.ts';
import { createApp } from '../../src/app.ts';
import { POLICIES } from '../../src/contract/limits.ts';
import { memoryLimiter } from '../../src/metering/limiter.ts';
import { clientAddress } from '../../src/http/requests/client-address.ts';
import { listen } from '../../src/http/requests/server.ts';
import { networkList } from '../../src/text/networks.ts';
import { render } from '../../src/render/render.ts';
import { newClient } from '../support/clients.ts';
import { testDatabase } from '../support/database.ts';
import { askEncoded } from '../support/raw-http.ts';
import { testLog } from '../support/log.ts';

const { db } = await testDatabase('sample');
const observed: unknown[][] = [];
const limiter = memoryLimiter();
let beforeCounting = async () => {};
const app = createApp(
  {
    ...{ db, renderer: mapsWith({ render }), log: testLog(), apiRoot: () => '' },
    clientOf: clientAddress(networkList(['127.0.0.1'])),
    limiter: {
      ...limiter,
      count: async (...request) => (await beforeCounting(), limiter.count(...request)),
    },
    observer: { began: () => {}, ended: (...request) => void observed.push(request.slice(0, 2)) },
  },
  { basePath: '' },
);
const handled = vi.spyOn(app as unknown as { handleRequest(): Promise<void> }, 'handleRequest');
const answer = app.callback();
let onClose = () => {};
const server = await listen(
  (req, res) => {
    res.once('close', () => onClose());
    answer(req, res);
  },
  { host: '127.0.0.1', port: 0 },
);
afterAll(() => server.stop(0));

const PATH = '/public/zip/75201';
const GLYPHS = '/fonts/Noto%20Sans%20Regular/0-255.pbf';

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  askEncoded({ port: server.port, path, method, headers: { ...newClient(), ...headers } });

/** How many of the requests Koa handled */
async function countHandled(work: () => Promise<unknown>): Promise<number> {
  const before = handled.mock.calls.length;
  await work();
  return handled.mock.calls.length - before;
}

it.each([
  ['of a ZIP code', PATH, { 'Accept-Encoding': 'br' }],
  ['of a ZIP code, not compressed', PATH, {}],
  ['of a vertical', '/public/vertical/hvac', { 'Accept-Encoding': 'gzip', Accept: '*/*' }],
  ['of a view', '/map-context?bbox=-97,32,-96,33&zoom=8', { 'Accept-Encoding': 'br' }],
  ['of a tile', '/tiles/zips/6/14/25.mvt', { 'Accept-Encoding': 'gzip, br' }],
  ['of glyphs', GLYPHS, {}],
])('an answer %s is repeated with the same fields and bytes', async (_, path, headers) => {
  const first = await ask(path, headers);
  expect(first.status).toBe(200);
  let second = first;
  expect(await countHandled(async () => (second = await ask(path, headers)))).toBe(0);
  expect(second.body.equals(first.body)).toBe(true);
  const each = { 'x-request-id': expect.stringMatching(/^[\w-]{36}$/), date: expect.any(String) };
  expect(second).toMatchObject({
    status: 200,
    headers: { ...first.headers, ...each, 'x-ratelimit-reset': expect.any(String) },
  });
  expect(Object.keys(second.headers)).toEqual(Object.keys(first.headers));
  expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
});

it('a repeated request keeps its id, is logged, and counts against the client’s limit', async () => {
  await ask(PATH);
  const client = { ...newClient(), 'X-Request-Id': 'mine' };
  const before = observed.length;
  const remaining: string[] = [];
  for (let i = 0; i < 3; i++) {
    const { headers } = await ask(PATH, client);
    expect(headers['x-request-id']).toBe('mine');
    remaining.push(headers['x-ratelimit-remaining'] as string);
  }
  const { quota } = POLICIES.public;
  expect(remaining).toEqual([quota - 1, quota - 2, quota - 3].map(String));
  await expect.poll(() => observed.length).toBe(before + 3);
  expect(observed.at(-1)).toEqual(['getPublicZipProfile', 200]);
});

it('a client over its limit gets 429 for a repeated answer', async () => {
  await ask(PATH);
  const client = newClient();
  const statuses: (number | undefined)[] = [];
  for (let i = 0; i <= POLICIES.public.quota; i++) statuses.push((await ask(PATH, client)).status);
  expect(statuses.at(-2)).toBe(200);
  expect(statuses.at(-1)).toBe(429);
});

it('a client that disconnects while its request is counted is logged as disconnected', async () => {
  await ask(PATH);
  const before = observed.length;
  await new Promise<void>((counted) => {
    beforeCounting = async () => {
      await new Promise<void>((closed) => {
        onClose = closed;
        request.destroy();
      });
      counted();
    };
    const request = get({ port: server.port, path: PATH, headers: newClient(), agent: false });
    request.on('error', () => {});
  });
  beforeCounting = async () => {};
  await expect.poll(() => observed.length).toBe(before + 1);
  expect(observed.at(-1)).toEqual(['getPublicZipProfile', 'aborted']);
});

it('a request that can’t be repeated because of an error is handled', async () => {
  await ask(PATH);
  let failures = 1;
  beforeCounting = async () => {
    if (failures-- > 0) throw new Error('not counted');
  };
  let status: number | undefined;
  expect(await countHandled(async () => ({ status } = await ask(PATH)))).toBe(1);
  expect(status).toBe(200);
  beforeCounting = async () => {};
});

it.each([
  ['another encoding', PATH, { 'Accept-Encoding': 'gzip' }, 'GET', 200],
  ['a known ETag', PATH, { 'If-None-Match': '*' }, 'GET', 304],
  ['another method', PATH, {}, 'HEAD', 200],
  ['another address', '/public/zip/00000', {}, 'GET', 404],
] as const)('a request with %s is handled', async (_, path, headers, method, status) => {
  await ask(PATH, { 'Accept-Encoding': 'br' });
  await ask(PATH);
  let answer: Awaited<ReturnType<typeof ask>> | undefined;
  expect(await countHandled(async () => (answer = await ask(path, headers, method)))).toBe(1);
  expect(answer!.status).toBe(status);
});

it('an answer isn’t repeated after the data behind it has changed', async () => {
  await ask(PATH);
  await db.query(`update datasets set imported_at = now() where name = 'scores'`);
  const moved = () => countHandled(() => ask(PATH));
  await expect.poll(moved, { interval: 500 }).toBe(1);
});
