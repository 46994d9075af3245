/**
 * Lookups: one beside a cached answer that a key may read, and files of a million rows: CPU time of the process and its
 * memory.
 */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { callerOfKey } from '../../src/people/account/callers.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { routeFile } from '../../src/territories/serving/route-file.ts';
import { servedBy, servedByEach } from '../../src/territories/serving/serving.ts';
import { newClient } from '../support/clients.ts';
import { testDatabase } from '../support/database.ts';
import { bearer, newKey } from '../support/keyed-app.ts';
import { storeZips } from '../territories/brands/holding.ts';
import { report, service } from './ceilings.ts';
import { residentMb } from './process-cpu.ts';
import { median } from './quantile.ts';

const BRANDS = 40;
const ROWS = 1_000_000;
const ROUNDS = 600;

const { db } = await testDatabase('sample', { own: true });
const { key, caller } = await newKey(db);
const zips = await db.query<{ zip: string; lng: number; lat: number; w: number; h: number }>(
  `select zip, st_x(centroid) as lng, st_y(centroid) as lat, st_xmax(bbox) - st_xmin(bbox) as w,
     st_ymax(bbox) - st_ymin(bbox) as h
   from zips where bbox is not null order by zip`,
);
// Four of five ZIP codes of the country are held.
for (let n = 0; n < BRANDS; n++) {
  const brand = await createBrand(caller.tenant, { name: `Brand ${n}` });
  const held = zips.filter((_, i) => i % BRANDS === n && i % 5 > 0).map(({ zip }) => zip);
  await storeZips(caller.tenant, brand, held);
}
await caller.tenant.query(
  `insert into places (organization_id, brand_id, name, kind, point, located_by, created_by, changed_by)
   select $1, bz.brand_id, 'Office ' || zip, 'office', centroid, 'zip', '{}', '{}'
   from brand_zips bz join zips using (zip) where bz.organization_id = $1 and random() < 0.1`,
);
await db.query('analyze');
report(`${zips.length} ZIP codes`);

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = -100; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    if (round >= 0) times.push(performance.now() - start);
  }
  return median(times);
}

it('a lookup takes at most twice as long as a cached answer that a key may read', async () => {
  const port = await service(db);
  const get = (path: string) => async () => {
    const headers = { ...bearer(key), ...newClient() };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.arrayBuffer();
  };
  const zip = '75201';
  const secret = key;
  const cached = await medianMs(get(`/public/zip/${zip}`));
  const admitted = await medianMs(() => callerOfKey(db, secret));
  const lookup = await medianMs(get(`/agent/serving?zip=${zip}`));
  const alone = await medianMs(() => servedBy(caller, { zip }));
  report(
    `lookup ${lookup.toFixed(2)} ms, of which the answer takes ${alone.toFixed(2)} ms; cached answer ${cached.toFixed(2)} ms ` +
      `and reading the key ${admitted.toFixed(2)} ms: ratio ${(lookup / (cached + admitted)).toFixed(2)}`,
  );
  expect(lookup).toBeLessThan(2 * (cached + admitted));
});

it('many at once', async () => {
  for (const [name, questions] of [
    [
      'ZIP codes',
      Array.from({ length: 10_000 }, (_, i) => ({ zip: zips[(i * 7_919) % zips.length]!.zip })),
    ],
    [
      'points',
      Array.from({ length: 10_000 }, (_, i) => ({ point: zips[(i * 7_919) % zips.length]! })),
    ],
  ] as const) {
    await servedByEach(caller, questions);
    const start = performance.now();
    expect(await servedByEach(caller, questions)).toHaveLength(10_000);
    report(`10,000 ${name} in ${(performance.now() - start).toFixed(0)} ms`);
  }
});

const folder = await mkdtemp(join(tmpdir(), 'serving-'));
afterAll(() => rm(folder, { recursive: true }));

const jitter = (i: number, size: number) => size * (((i * 0.618034) % 1) - 0.5);

it.each([
  ['by ZIP code', 10, 'ZIP', ({ zip }: (typeof zips)[number]) => zip],
  [
    'by coordinates',
    30,
    'Longitude,Latitude',
    ({ lng, lat, w, h }: (typeof zips)[number], i: number) =>
      `${(lng + jitter(i, w)).toFixed(6)},${(lat + jitter(3 * i, h)).toFixed(6)}`,
  ],
] as const)('a million rows %s: under %i s of CPU', async (name, maxSeconds, heading, place) => {
  const path = join(folder, 'leads.csv');
  const lines = Array.from(
    { length: ROWS },
    (_, i) => `${i},"Lead, ${i}",${place(zips[(i * 7_919) % zips.length]!, i)},Roofing`,
  );
  await writeFile(path, [`Id,Name,${heading},Interest`, ...lines].join('\n'));
  lines.length = 0;
  await delay(100);
  const before = residentMb(process.pid);
  let peak = before;
  const sampling = setInterval(() => (peak = Math.max(peak, residentMb(process.pid))), 50);
  const start = process.cpuUsage();
  const startedAt = performance.now();
  const out = await routeFile(caller, createReadStream(path), {}, { geocoder: undefined });
  let rows = 0;
  let bytes = 0;
  for await (const chunk of out as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows++;
  }
  const { user, system } = process.cpuUsage(start);
  clearInterval(sampling);
  const seconds = (user + system) / 1e6;
  report(
    `${name}: ${(bytes / 2 ** 20).toFixed(0)} MB of answers, ${seconds.toFixed(1)} s CPU, ` +
      `${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${(peak - before).toFixed(0)} MB more than ${before.toFixed(0)} MB`,
  );
  expect(rows).toBe(ROWS + 1);
  expect(seconds).toBeLessThan(maxSeconds);
});
