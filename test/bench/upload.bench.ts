/**
 * Uploads of a million rows: CPU time of the process, its memory, and how long its main thread is busy meanwhile.
 *
 * `UPLOAD_DATABASE_URL` names a database with other data than the sample.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/base/db/database.ts';
import { readUpload } from '../../src/territories/own-data/import/read-upload.ts';
import { uploadLookUps } from '../../src/territories/own-data/import/tenant-look-ups.ts';
import { testDatabase } from '../support/database.ts';
import { residentMb } from './process-cpu.ts';

const url = process.env['UPLOAD_DATABASE_URL'];
const db = url
  ? await openDatabase({ databaseUrl: url, databasePoolSize: 2, dataDir: '' })
  : (await testDatabase('sample')).db;
if (url) afterAll(() => db.close());

const ROWS = 1_000_000;
const CHUNK = 64 * 1024;
const zips = await db.query<{ zip: string; lng: number; lat: number; w: number; h: number }>(
  `select zip, st_x(centroid) as lng, st_y(centroid) as lat, st_xmax(bbox) - st_xmin(bbox) as w,
     st_ymax(bbox) - st_ymin(bbox) as h
   from zips where bbox is not null order by zip`,
);

/** Rows of a CRM, in an order without any system */
function table(heading: string, place: (zip: (typeof zips)[number], i: number) => string): Buffer {
  const lines = Array.from({ length: ROWS }, (_, i) => {
    const zip = zips[(i * 7_919) % zips.length]!;
    return `${i},"Customer, ${i}",${place(zip, i)},$${(i % 5_000) + 0.5},Roofing`;
  });
  return Buffer.from([`Job ID,Customer,${heading},Revenue,Service line`, ...lines].join('\n'));
}

async function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += CHUNK) {
    yield bytes.subarray(at, at + CHUNK);
    await setImmediate();
  }
}

const jitter = (i: number, size: number) => size * (((i * 0.618034) % 1) - 0.5);

it.each([
  ['by ZIP code', 15, table('ZIP', ({ zip }) => zip)],
  [
    ...(['by coordinates', 30] as const),
    table(
      'Longitude,Latitude',
      ({ lng, lat, w, h }, i) =>
        `${(lng + jitter(i, w)).toFixed(6)},${(lat + jitter(3 * i, h)).toFixed(6)}`,
    ),
  ],
] as const)('a million rows %s: under %i s of CPU', async (name, maxSeconds, file) => {
  const before = residentMb(process.pid);
  let peak = before;
  const sampling = setInterval(() => (peak = Math.max(peak, residentMb(process.pid))), 50);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  await setTimeout(100);
  delays.enable();
  const start = process.cpuUsage();
  const startedAt = performance.now();
  const result = await readUpload(
    chunksOf(file),
    { amounts: [{ kind: 'count' }, { kind: 'sum', column: 'Revenue' }] },
    uploadLookUps({ common: db }, null),
    { rows: ROWS },
  );
  const { user, system } = process.cpuUsage(start);
  delays.disable();
  clearInterval(sampling);
  const seconds = (user + system) / 1e6;
  process.stdout.write(
    `${name}: ${(file.length / 2 ** 20).toFixed(0)} MB, ${seconds.toFixed(1)} s CPU, ` +
      `${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${(peak - before).toFixed(0)} MB more than ${before.toFixed(0)} MB, ` +
      `event-loop delay p99 ${(delays.percentile(99) / 1e6).toFixed(1)} ms, ${JSON.stringify(result.counts)}\n`,
  );
  expect(result.rows).toBe(ROWS);
  expect(seconds).toBeLessThan(maxSeconds);
});
