/**
 * Pictures and raster tiles as websites request them, from a running service: what a picture costs the whole process,
 * as the first one after a start, in a new size, of another vertical, repeated, and in parallel. `render.bench.ts`
 * compares drawing itself with maplibre-gl.
 */
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { changeSubscription } from '../../src/people/account/subscription.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { zipsOfMetro } from '../../src/data/market/zips.ts';
import { mercatorX, mercatorY } from '../../src/base/spatial/mercator.ts';
import { testDatabase } from '../support/database.ts';
import { bearer, newKey } from '../support/keyed-app.ts';
import { startService, type RunningService } from '../support/processes.ts';
import { freePort } from '../support/servers/free-port.ts';
import { report } from './ceilings.ts';
import { machineLoad, mainThreadMs, processMs, residentMb } from './process-cpu.ts';
import { median } from './quantile.ts';

const PICTURES = 24;
const STARTS = 2;
const ROUNDS = 2;
/** Tiles of each round */
const TILES = 500;
const SIZES = ['600x400', '1200x800'];
/** Sizes like 1200x800 that no page asks for */
const NEW_SIZES = Array.from({ length: 12 }, (_, i) => `${1190 - 10 * i}x${790 - 5 * i}`);

const { db, env } = await testDatabase('sample');
const running = new Set<RunningService>();
afterAll(() => Promise.all(Array.from(running, (service) => service.stop())));

async function start(more: Record<string, string> = {}): Promise<RunningService> {
  const service = await startService({
    ...env,
    ...more,
    RENDER_WORKERS: '2',
    SAMPLE_DATA: 'never',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  running.add(service);
  return service;
}

let clients = 0;

/** Requests a path as a new client, so that no limit applies. */
async function request({ url }: RunningService, path: string, init: RequestInit = {}) {
  const client = ++clients;
  const headers = { 'X-Forwarded-For': `10.1.${client >> 8}.${client & 255}`, ...init.headers };
  const answer = await fetch(url + path, { ...init, headers });
  await answer.arrayBuffer();
  expect(answer.status).toBe(200);
}

/** @returns milliseconds until the answer */
async function elapsedMs(service: RunningService, path: string): Promise<number> {
  const startedAt = performance.now();
  await request(service, path);
  return performance.now() - startedAt;
}

/** @returns milliseconds of CPU that an answer takes, of all threads and of the main thread */
async function cost(service: RunningService, ...call: [path: string, init?: RequestInit]) {
  const pid = service.process.pid!;
  const before = { all: processMs(pid), main: mainThreadMs(pid) };
  await request(service, ...call);
  return { all: processMs(pid) - before.all, main: mainThreadMs(pid) - before.main };
}

type Cost = Awaited<ReturnType<typeof cost>>;

const reportCosts = (name: string, costs: readonly Cost[]) =>
  report(
    `${name}: ${median(costs.map(({ all }) => all)).toFixed()} ms of CPU, ` +
      `${median(costs.map(({ main }) => main)).toFixed(1)} ms of it on the main thread; ${machineLoad()}`,
  );

const MARKETS = ['dallas-tx', 'los-angeles-ca', 'seattle-wa'];
const OTHERS = ['houston-tx', 'phoenix-az', 'chicago-il', 'atlanta-ga', 'denver-co', 'tampa-fl'];
const VERTICALS = ['hvac', 'plumbing', 'gutters', 'landscaping', 'moving'];

const staticMap = (market: string, vertical: string, size: string, query = '') =>
  `/static/light/metro:${market}:${vertical}/auto/${size}.png${query}`;

/** Starts a service that has compiled its code with pictures of other markets. */
async function startWarm(): Promise<RunningService> {
  const service = await start();
  for (let i = 0; i < 12 * OTHERS.length; i++) {
    const [market, size] = [OTHERS[i % OTHERS.length]!, i % 3 === 0 ? '600x400' : '1200x800'];
    // With another padding, nothing that is kept fits.
    await request(service, staticMap(market, 'roofing', size, `?padding=${20 + i}`));
  }
  return service;
}

it('what the first pictures of a new process cost', async () => {
  // The first process finds an empty database, the others what it has kept there.
  for (const name of ['first process', ...Array<string>(STARTS).fill('later process')]) {
    const service = await start();
    const rows: string[] = [];
    for (const market of MARKETS) {
      const startedAt = performance.now();
      const { all } = await cost(service, staticMap(market, 'roofing', '1200x800'));
      const elapsed = performance.now() - startedAt;
      rows.push(`${market} ${elapsed.toFixed()} ms (${all.toFixed()} ms of CPU)`);
    }
    expect(rows).toHaveLength(MARKETS.length);
    report(`first pictures of a ${name}, 1200x800: ${rows.join(', ')}; ${machineLoad()}`);
    await service.stop();
    running.delete(service);
  }
});

it('what a new picture costs', async () => {
  const rows: Record<string, number[]> = {};
  const service = await startWarm();
  const add = async (row: string, path: string) =>
    (rows[row] ??= []).push((await cost(service, path)).all);
  for (const market of MARKETS) {
    await add(`${market}, 1200x800`, staticMap(market, 'roofing', '1200x800'));
    for (const vertical of VERTICALS)
      await add('next vertical of the same market', staticMap(market, vertical, '1200x800'));
    for (const size of NEW_SIZES)
      await add(`${market}, 1200x800 in a new size`, staticMap(market, 'roofing', size));
  }
  expect(Object.values(rows).flat()).toHaveLength(
    MARKETS.length * (1 + VERTICALS.length + NEW_SIZES.length),
  );
  for (const [row, ms] of Object.entries(rows)) {
    const mean = ms.reduce((sum, each) => sum + each, 0) / ms.length;
    report(`${row}: ${mean.toFixed()} ms of CPU, the mean of ${ms.length}; ${machineLoad()}`);
  }
  report(`resident after these pictures: ${residentMb(service.process.pid!).toFixed()} MB`);
});

it('what streets cost', async () => {
  // One worker, so that its tiles are cold only once.
  const service = await start({ RENDER_WORKERS: '1' });
  const at = (lng: number, i: number, basemap: string) =>
    `/static/light/metro:dallas-tx:roofing/${(lng + 0.0005 * i).toFixed(4)},32.79,13/1200x800.png?basemap=${basemap}`;
  const [EAST, WEST] = [-96.74, -96.89];
  const basemaps = ['plain', 'streets'] as const;
  for (const basemap of basemaps) {
    for (let i = 0; i < PICTURES; i++) await request(service, at(EAST, 100 + i, basemap));
  }
  const coldMs = await elapsedMs(service, at(WEST, 0, 'streets'));
  const times: Record<(typeof basemaps)[number], number[]> = { plain: [], streets: [] };
  const costs: Record<(typeof basemaps)[number], Cost[]> = { plain: [], streets: [] };
  for (let i = 1; i <= PICTURES; i++) {
    for (const basemap of basemaps) {
      times[basemap].push(await elapsedMs(service, at(WEST, i, basemap)));
      costs[basemap].push(await cost(service, at(WEST, 100 + i, basemap)));
    }
  }
  const [plain, streets] = basemaps.map((basemap) => median(times[basemap])) as [number, number];
  expect(streets).toBeGreaterThan(0);
  report(
    `1200x800 at zoom 13: plain ${plain.toFixed()} ms, streets ${streets.toFixed()} ms: ` +
      `${(streets / plain).toFixed(2)} times; with cold tiles ${coldMs.toFixed()} ms`,
  );
  for (const basemap of basemaps) reportCosts(`1200x800 at zoom 13, ${basemap}`, costs[basemap]);

  const init = { headers: { 'Accept-Encoding': 'gzip' } };
  const paths = ['/tiles/streets/13/1892/3305.mvt', '/tiles/context/7/29/51.mvt'] as const;
  const perTile: [number[], number[]] = [[], []];
  for (let round = 0; round < 8; round++) {
    // In turns, so that neither always comes first.
    const turn = [...paths.entries()];
    for (const [i, path] of round % 2 === 0 ? turn : turn.reverse()) {
      const before = processMs(service.process.pid!);
      for (let i = 0; i < TILES; i++) await request(service, path, init);
      perTile[i]!.push((processMs(service.process.pid!) - before) / TILES);
    }
  }
  const [passed, cached] = perTile.map(median) as [number, number];
  report(
    `tile of streets: ${passed.toFixed(3)} ms of CPU, a cached tile: ${cached.toFixed(3)} ms: ` +
      `${(passed / cached).toFixed(2)} times`,
  );
});

it('what a picture and an exhibit of a brand cost', async () => {
  const { key, caller } = await newKey(db);
  await changeSubscription(caller.tenant, { status: 'active', monthlyUnits: 1e6 });
  const brands = ['a', 'b', 'c', 'd', 'e'];
  for (const [i, slug] of brands.entries()) {
    const { id } = await createBrand(caller.tenant, { name: slug, slug });
    const zips = [
      ...(await zipsOfMetro(db, 'dallas-tx')).slice(10 * i, 10 * i + 20),
      ...(await zipsOfMetro(db, 'tampa-fl')).slice(10 * i, 10 * i + 14),
    ];
    await db.query(
      `insert into brand_zips (organization_id, brand_id, zip, state)
       select organization_id, id, unnest($2::text[]), 'live' from brands where id = $1`,
      [id, zips],
    );
  }
  const service = await startWarm();
  const post = (body: object): RequestInit => ({
    method: 'POST',
    headers: {
      ...bearer(key),
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'Mcp-Protocol-Version': '2025-11-25',
    },
    body: JSON.stringify(body),
  });
  const [panels, exhibits]: [Cost[], Cost[]] = [[], []];
  for (const brand of brands) {
    const params = { name: 'service_render_territory_map', arguments: { brand } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    panels.push(await cost(service, '/mcp', post(call)));
  }
  for (const brand of brands) {
    exhibits.push(await cost(service, '/agent/territory-exhibit', post({ brand })));
  }
  expect(panels).toHaveLength(brands.length);
  reportCosts('a brand in two panels, 800x600, by MCP', panels);
  reportCosts('exhibit of 34 ZIP codes', exhibits);
});

/** Requests new pictures of nine markets, eight at a time. @param from number in the first title */
async function drawAtOnce(service: RunningService, count: number, from: number): Promise<void> {
  const markets = [...MARKETS, ...OTHERS];
  const queue = Array.from({ length: count }, (_, i) =>
    staticMap(markets[i % markets.length]!, 'roofing', '1200x800', `?title=${from + i}`),
  ).values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const path of queue) await request(service, path);
    }),
  );
}

it('what others wait while eight pictures are in progress', async () => {
  const port = String(await freePort());
  const probe = pathToFileURL('test/bench/loop-delay.mjs').href;
  const service = await start({ LOOP_DELAY_PORT: port, NODE_OPTIONS: `--import=${probe}` });
  const delayMs = async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text());
  await drawAtOnce(service, 40, 0);
  await delayMs();
  await drawAtOnce(service, 40, 100);
  const p99 = await delayMs();
  expect(p99).toBeGreaterThan(0);
  report(`99th percentile of the event-loop delay with eight pictures: ${p99.toFixed(1)} ms`);
});

/** Dallas from another place each time */
const picture = (size: string, i: number) =>
  `/static/light/metro:dallas-tx:roofing/${(-97 + 0.005 * i).toFixed(3)},32.8,8.3/${size}.png`;

it('pictures, drawn and repeated', async () => {
  const service = await start();
  for (const size of SIZES) {
    for (let i = 0; i < PICTURES; i++) await elapsedMs(service, picture(size, 1000 + i));
    const times: Record<'drawn' | 'again', number[]> = { drawn: [], again: [] };
    for (let i = 0; i < PICTURES; i++) {
      times.drawn.push(await elapsedMs(service, picture(size, i)));
      times.again.push(await elapsedMs(service, picture(size, i)));
    }
    const [drawn, again] = [median(times.drawn), median(times.again)];
    expect(again).toBeLessThan(drawn);
    report(
      `${size}: drawn in ${drawn.toFixed(1)} ms, again in ${again.toFixed(2)} ms: ` +
        `${(drawn / again).toFixed()} times`,
    );
  }
});

it('two workers against one', async () => {
  const perSecond: Record<string, number[]> = { 1: [], 2: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const workers of ['1', '2']) {
      const service = await start({ RENDER_WORKERS: workers });
      await drawAtOnce(service, 80, 0);
      const startedAt = performance.now();
      await drawAtOnce(service, 80, 100);
      perSecond[workers]!.push(80_000 / (performance.now() - startedAt));
      await service.stop();
    }
  }
  const [one, two] = [median(perSecond[1]!), median(perSecond[2]!)];
  expect(two).toBeGreaterThan(0);
  report(
    `1200x800: ${one.toFixed(1)} per second on one worker, ${two.toFixed(1)} on two: ` +
      `${(two / one).toFixed(2)} times`,
  );
});

it('raster tiles on two workers', async () => {
  const service = await start();
  for (const zoom of [8, 11]) {
    const tileAt = (part: number) => Math.floor(2 ** zoom * part) - 8;
    const [west, north] = [tileAt(mercatorX(-96.8)), tileAt(mercatorY(32.8))];
    const paths = Array.from({ length: 256 }, (_, i) => {
      const [x, y] = [west + (i % 16), north + Math.floor(i / 16)];
      return `/raster/light/${zoom}/${x}/${y}.png`;
    });
    const startedAt = performance.now();
    const queue = paths.values();
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (const path of queue) await elapsedMs(service, path);
      }),
    );
    expect(clients).toBeGreaterThanOrEqual(paths.length);
    const seconds = (performance.now() - startedAt) / 1000;
    report(`raster tiles of zoom ${zoom}: ${(paths.length / seconds).toFixed()} per second`);
  }
});
