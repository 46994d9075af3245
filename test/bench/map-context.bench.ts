/**
 * /map-context beside its ceilings: cached, a bare Koa handler that sends the same bytes; uncached,
 * its SQL alone. Both sides of a ratio are measured in turns.
 */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { Worker } from 'node:worker_threads';
import Koa from 'koa';
import pino from 'pino';
import { afterAll, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { layersInView } from '../../src/basemap/map-context.ts';
import { listen } from '../../src/http/server.ts';
import type { Bbox } from '../../src/spatial/bbox.ts';
import { testDatabase } from '../support/database.ts';

const ROUNDS = 3;
const SECONDS = 3;
const UNCACHED_VIEWS = 30;

const VIEWS: { name: string; bbox: Bbox; zoom: number }[] = [
  { name: 'world, zoom 0', bbox: [-180, -85, 180, 85], zoom: 0 },
  { name: 'country, zoom 4', bbox: [-125, 24, -66, 50], zoom: 4 },
  { name: 'metro, zoom 10', bbox: [-97.5, 32.5, -96.5, 33.1], zoom: 10 },
  { name: 'street, zoom 18', bbox: [-96.81, 32.77, -96.808, 32.771], zoom: 18 },
];

const { db } = await testDatabase('sample');
const log = pino({ level: 'info' }, pino.destination('/dev/null'));
const service = await listen(
  createApp({ db, log, apiRoot: () => '' }, { basePath: '' }).callback(),
  {
    host: '127.0.0.1',
    port: 0,
  },
);
afterAll(() => service.stop(0));

const agent = new Agent({ keepAlive: true });
const pathOf = (bbox: Bbox, zoom: number) => `/map-context?bbox=${bbox.join()}&zoom=${zoom}`;
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const report = (line: string) => process.stdout.write(`${line}\n`);

async function requestsPerSecond(port: number, path: string): Promise<number> {
  const load = new Worker(new URL('load.mjs', import.meta.url), {
    workerData: {
      port,
      path,
      headers: ['Accept-Encoding: br'],
      connections: 16,
      seconds: SECONDS,
    },
  });
  const [rate] = (await once(load, 'message')) as [number];
  return rate;
}

/** As it travels: fetch would decode it. */
async function encodedBody(path: string): Promise<Buffer> {
  const request = get({
    port: service.port,
    path,
    headers: { 'Accept-Encoding': 'br' },
    agent,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  expect(response.statusCode).toBe(200);
  return Buffer.concat(chunks);
}

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

it.each(VIEWS)('cached: $name', async ({ name, bbox, zoom }) => {
  const path = pathOf(bbox, zoom);
  const bytes = await encodedBody(path);
  const bare = new Koa();
  bare.use((ctx) => {
    ctx.type = 'json';
    ctx.set('Content-Encoding', 'br');
    ctx.body = bytes;
  });
  const ceiling = await listen(bare.callback(), { host: '127.0.0.1', port: 0 });
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push(await requestsPerSecond(ceiling.port, path));
    rates.ours.push(await requestsPerSecond(service.port, path));
  }
  await ceiling.stop(0);
  const [ours, bareRate] = [median(rates.ours), median(rates.bare)];
  report(
    `cached, ${name}: ${bytes.length} bytes, ${ours.toFixed()}/s, bare Koa ` +
      `${bareRate.toFixed()}/s: ${((100 * ours) / bareRate).toFixed()} %`,
  );
  expect(ours).toBeGreaterThan(0);
});

it.each(VIEWS)('uncached: $name', async ({ name, bbox, zoom }) => {
  const times: { ours: number[]; sql: number[] } = { ours: [], sql: [] };
  for (let i = 1; i <= UNCACHED_VIEWS; i++) {
    // Each view is a new one for the cache.
    const view = bbox.map((edge, at) => edge + (at < 2 ? 1 : -1) * i * 1e-6) as Bbox;
    const sql = () => elapsedMs(() => layersInView(db, view, zoom));
    const ours = () => elapsedMs(() => encodedBody(pathOf(view, zoom)));
    if (i % 2 === 0) times.sql.push(await sql());
    times.ours.push(await ours());
    if (i % 2 === 1) times.sql.push(await sql());
  }
  const [ours, sql] = [median(times.ours), median(times.sql)];
  report(
    `uncached, ${name}: ${ours.toFixed(1)} ms, SQL alone ${sql.toFixed(1)} ms: ` +
      `${(ours / sql).toFixed(2)} times`,
  );
  expect(ours).toBeGreaterThan(0);
});
