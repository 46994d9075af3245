/** `import all` from a local server that replaces the Census Bureau's. */
import type { Feature, LineString, Polygon } from 'geojson';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { readDatasets } from '../../src/base/db/datasets.ts';
import {
  importAll,
  type ImportAllOptions,
} from '../../src/data/ingest/census-download/import-all.ts';
import { silent } from '../../src/data/ingest/progress.ts';
import { importAllReportText } from '../../src/run/admin/import-all-text.ts';
import { testDatabase, testFolder } from '../support/database.ts';
import { runAdmin } from '../support/processes.ts';
import { startCensusServer } from '../data/ingest/census-server.ts';
import { listEvents } from '../../src/people/events/events.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { row, square, zipFeature, zipOf } from '../data/ingest/files.ts';
import { newSignedInOwner } from '../people/account/organizations.ts';
import { storeZips } from '../territories/brands/holding.ts';

const { db, env } = await testDatabase('empty');
const census = await startCensusServer();
afterAll(() => census.close());

const area = (properties: object, column = 0): Feature<Polygon> => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [square(column)] },
});
const line = (properties: object, column = 0): Feature<LineString> => ({
  type: 'Feature',
  properties,
  geometry: { type: 'LineString', coordinates: square(column).slice(0, 3) },
});

async function publish(path: string, features: Feature[]): Promise<void> {
  const stem = path.split('/').at(-1)!.replace('.zip', '');
  census.files.set(path, await zipOf(stem, features));
}

await publish('GENZ2023/shp/cb_2023_us_state_500k.zip', [
  area({ STATEFP: '48', GEOID: '48', NAME: 'Texas' }),
]);
await publish('GENZ2023/shp/cb_2023_us_county_500k.zip', [
  area({ STATEFP: '48', GEOID: '48113', NAME: 'Dallas' }, 0),
  area({ STATEFP: '48', GEOID: '48439', NAME: 'Tarrant' }, 1),
  area({ STATEFP: '40', GEOID: '40001', NAME: 'Adair' }, 2),
]);
await publish('GENZ2020/shp/cb_2020_us_zcta520_500k.zip', row(2));
await publish('GENZ2023/shp/cb_2023_us_place_500k.zip', [
  area({ STATEFP: '48', PLACEFP: '19000', GEOID: '4819000', NAME: 'Dallas', LSAD: '25' }),
]);
await publish('TIGER2023/PRISECROADS/tl_2023_48_prisecroads.zip', [
  line({ FULLNAME: 'I- 35 E', RTTYP: 'I', MTFCC: 'S1100' }),
]);
await publish('TIGER2023/AREAWATER/tl_2023_48113_areawater.zip', [
  area({ FULLNAME: 'White Rock Lk', MTFCC: 'H2030', AWATER: 4e6 }),
]);
await publish('TIGER2023/MIL/tl_2023_us_mil.zip', [
  area({ FULLNAME: 'Fort Worth NAS', MTFCC: 'K2110', ALAND: 8e6 }, 1),
]);
await publish('TIGER2023/AREALM/tl_2023_48_arealm.zip', [
  area({ FULLNAME: 'Fair Pk', MTFCC: 'K2188', ALAND: 1e6 }),
]);

let cache: string;
beforeEach(() => {
  cache = testFolder();
  census.requests.length = 0;
  census.trouble = () => false;
});

const run = (options: Partial<ImportAllOptions> = {}) =>
  importAll(db, {
    year: 2023,
    states: ['48'],
    streets: false,
    again: false,
    cache,
    filesUrl: `${census.url}/files`,
    api: { url: `${census.url}/data`, key: 'key', retryAfterMs: 1 },
    download: { retries: { tries: 2, pauseMs: 1 }, silenceMs: 5_000, spareBytes: 0 },
    dryRun: false,
    progress: silent,
    ...options,
  });

/** Runs the command with the files of the last run. */
const command = (...options: string[]) => {
  const settings = {
    CENSUS_FILES_URL: `${census.url}/files`,
    CENSUS_API_URL: `${census.url}/data`,
  };
  return runAdmin(
    [
      'import',
      'all',
      '--download',
      '--year',
      '2023',
      '--states',
      'TX',
      '--cache',
      cache,
      ...options,
    ],
    { ...env, ...settings, CENSUS_API_KEY: 'key', SAMPLE_DATA: 'never' },
  );
};

const outcomes = ({ parts }: Awaited<ReturnType<typeof run>>) =>
  Object.fromEntries(parts.map(({ part, outcome }) => [part, outcome]));
const ALL = ['states', 'counties', 'boundaries', 'figures', 'places', 'roads', 'water', 'landuse'];
const sameForAll = (outcome: string) => Object.fromEntries(ALL.map((part) => [part, outcome]));

const names = async (layer: string) =>
  (await db.query('select name from basemap_features where layer = $1 order by 1', [layer])).map(
    (f) => f['name'],
  );

it('imports everything with one command, and only the remaining parts with the next', async () => {
  census.trouble = (path, response) => {
    if (!path.includes('prisecroads')) return false;
    response.writeHead(503).end();
    return true;
  };
  const first = await run();
  expect(outcomes(first)).toEqual({ ...sameForAll('imported'), roads: 'failed' });
  expect(first.files).toMatchObject({ downloaded: 7, present: 0 });
  expect(first.parts.find(({ part }) => part === 'water')!.skipped).toEqual([
    'tl_2023_48439_areawater.zip',
  ]);
  expect(importAllReportText(first)).toMatch(
    /roads +failed: tl_2023_48_prisecroads.zip: the server returned status 503/,
  );
  expect(importAllReportText(first)).toMatch(/boundaries +imported 2 ZIP codes: Census 2020 ZCTAs/);
  expect(await names('water')).toContain('White Rock Lake');
  // Natural Earth adds the areas outside the Census Bureau’s files.
  expect(await names('water')).toContain('Lake Superior');
  expect(await names('landuse')).toEqual(['Fair Park', 'Fort Worth NAS']);
  expect(await names('places')).toEqual(['Dallas']);
  expect(await names('roads')).toEqual([]);
  expect(await db.query('select county_fips as fips from zips order by zip')).toEqual([
    { fips: '48113' },
    { fips: '48439' },
  ]);

  census.trouble = () => false;
  census.requests.length = 0;
  const second = await run();
  expect(outcomes(second)).toEqual({ ...sameForAll('kept'), roads: 'imported' });
  expect(census.requests).toEqual([
    '/files/TIGER2023/PRISECROADS/tl_2023_48_prisecroads.zip',
    '/files/TIGER2023/AREAWATER/tl_2023_48439_areawater.zip', // may be published by now
  ]);
  expect(await names('roads')).toEqual(['I 35']);
  expect((await readDatasets(db)).get('roads')).toMatchObject({
    vintage: 'US Census Bureau TIGER/Line 2023',
    synthetic: false,
  });
});

it('downloads the streets and streams of each county with --streets', async () => {
  const { parts } = await run({ parts: ['roads', 'water'], streets: true });
  expect(parts.map(({ outcome }) => outcome)).toEqual(['failed', 'kept']);
  expect(parts[0]!.reason).toMatch(/has no roads of 2023 at .*ROADS\/tl_2023_48113_roads.zip/);
  expect(census.requests).toContain('/files/TIGER2023/LINEARWATER/tl_2023_48439_linearwater.zip');
});

it('imports a part again when asked to', async () => {
  expect(outcomes(await run({ parts: ['places'] }))).toEqual({ places: 'kept' });
  expect(outcomes(await run({ parts: ['places'], again: true }))).toEqual({ places: 'imported' });
});

it('scores figures that an interrupted run imported, even if the coast can’t be fitted', async () => {
  await run({ parts: ['figures'], again: true });
  expect((await readDatasets(db)).has('scores')).toBe(false);
  const derived = await db.query<{ id: number }>(
    `update basemap_features set coast = 'replaced' where coast = 'derived' returning id`,
  );
  await db.query('alter table basemap_shapes rename to unreadable');
  expect(await command('--only', 'figures', '--again')).toMatchObject({ code: 1 });
  await db.query('alter table unreadable rename to basemap_shapes');
  await db.query(`update basemap_features set coast = 'derived' where id = any($1)`, [
    derived.map(({ id }) => id),
  ]);
  const scored = await readDatasets(db);
  expect(scored.has('scores')).toBe(true);

  // A run that ended before it could score
  await run({ parts: ['figures'], again: true });
  expect(await command('--only', 'boundaries,figures')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/figures +kept/),
  });
  const later = (await readDatasets(db)).get('scores')!.importedAt;
  expect(later.getTime()).toBeGreaterThan(scored.get('scores')!.importedAt.getTime());
  expect(await command('--only', 'figures')).toMatchObject({ code: 0 });
  expect((await readDatasets(db)).get('scores')!.importedAt).toEqual(later);
});

it('tells the people of brands what new boundaries took', async () => {
  const { tenant } = await newSignedInOwner(db);
  await storeZips(tenant, await createBrand(tenant, { name: 'Star' }), ['75201']);
  await db.query("update holdings set held_from = held_from - interval '1 hour'");
  await publish('GENZ2020/shp/cb_2020_us_zcta520_500k.zip', [
    zipFeature('75270', square(0)),
    zipFeature('75201', square(1)),
  ]);
  await command('--only', 'boundaries');
  const { events } = await listEvents(tenant, 0, 10, { types: ['boundaries.changed'] });
  expect(events).toMatchObject([{ data: { zips: ['75201'], restoring: ['75270'] } }]);
});

it('explains that a year has no files', async () => {
  await expect(run({ year: 2013 })).rejects.toThrow(/from 2014 on/);
  await expect(run({ year: 2031 })).rejects.toThrow(/has no counties of 2031/);
});
