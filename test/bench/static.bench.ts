/**
 * Pictures and raster tiles as websites request them, from a running service: drawn, repeated, in parallel,
 * and as the first one after a start. `render.bench.ts` compares drawing itself with maplibre-gl.
 */
import { afterAll, expect, it } from 'vitest';
import { mercatorX, mercatorY } from '../../src/spatial/mercator.ts';
import { testDatabase } from '../support/database.ts';
import { startService, type RunningService } from '../support/processes.ts';
import { report } from './ceilings.ts';
import { median } from './quantile.ts';

const PICTURES = 24;
const STARTS = 5;
const SIZES = ['600x400', '1200x800'];

const { env } = await testDatabase('sample');
const running = new Set<RunningService>();
afterAll(() => Promise.all(Array.from(running, (service) => service.stop())));

async function start(): Promise<RunningService> {
  const service = await startService({
    ...env,
    RENDER_WORKERS: '2',
    SAMPLE_DATA: 'never',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  running.add(service);
  return service;
}

let clients = 0;

/** Requests a path as a new client, so that no limit applies. @returns milliseconds */
async function elapsedMs({ url }: RunningService, path: string): Promise<number> {
  const client = ++clients;
  const headers = { 'X-Forwarded-For': `10.1.${client >> 8}.${client & 255}` };
  const startedAt = performance.now();
  const answer = await fetch(url + path, { headers });
  await answer.arrayBuffer();
  expect(answer.status).toBe(200);
  return performance.now() - startedAt;
}

/** Dallas from another place each time */
const picture = (size: string, i: number) =>
  `/static/light/metro:dallas-tx:roofing/${(-97 + 0.005 * i).toFixed(3)},32.8,8.3/${size}.png`;

it('the first picture after a start', async () => {
  const times: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const service = await start();
    times.push(await elapsedMs(service, picture('600x400', 0)));
    await service.stop();
    running.delete(service);
  }
  expect(times).toHaveLength(STARTS);
  report(`first picture after a start: ${median(times).toFixed()} ms`);
});

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
