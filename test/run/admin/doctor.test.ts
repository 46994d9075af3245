/** `territory-admin doctor` on real databases, healthy and not. */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, inject, describe, expect, it, onTestFinished } from 'vitest';
import { appSecretBox, setUpApp } from '../../../src/people/account/authenticator-app.ts';
import { inArchiveOrder, writePmtiles } from '../../../src/data/basemap/write-pmtiles.ts';
import { migrationNames } from '../../../src/base/db/migrate.ts';
import { checkNode } from '../../../src/run/admin/doctor/machine.ts';
import { projectFile } from '../../../src/base/geodata/project-files.ts';
import type { Bbox } from '../../../src/base/spatial/bbox.ts';
import { mercatorX, mercatorY } from '../../../src/base/spatial/mercator.ts';
import type { TileAddress } from '../../../src/base/spatial/tile.ts';
import { testDatabase, testFolder } from '../../support/database.ts';
import { adminCommands } from '../../support/many-commands.ts';
import { startService, type CommandResult } from '../../support/processes.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { hasRedis, testRedis } from '../../support/servers/redis.ts';
import { startRouter } from '../../support/servers/router.ts';

const { db, env } = await testDatabase('empty', { own: true });
const runAdmin = adminCommands();
const doctor = (more: Record<string, string> = {}, ...flags: string[]) =>
  runAdmin(['doctor', ...flags], { ...env, ...more });

interface Report {
  passed: boolean;
  findings: { check: string; status: string; detail: string; fix?: string }[];
}

const reportOf = ({ stdout }: CommandResult) => JSON.parse(stdout) as Report;
const findingOf = (report: Report, check: string) =>
  report.findings.find((finding) => finding.check === check);
async function find(check: string, more: Record<string, string> = {}) {
  return findingOf(reportOf(await doctor(more, '--json')), check);
}

const TODAY = new Date().toISOString();
const DALLAS: Bbox = [-96.9, 32.7, -96.7, 32.9];

interface StreetsOptions {
  /** Of its OpenStreetMap data; null: not stated. Default: today */
  date?: string | null;
  layers?: string[];
  bounds?: Bbox;
  maxZoom?: number;
  /** Without its first tile */
  lacksTile?: boolean;
}

/** Writes an archive of streets from zoom 12. */
async function streetsFile({
  date = TODAY,
  layers = ['earth', 'water', 'landuse', 'roads', 'places'],
  bounds = DALLAS,
  maxZoom = 14,
  lacksTile = false,
}: StreetsOptions = {}): Promise<string> {
  const [west, south, east, north] = bounds;
  const addresses: TileAddress[] = [];
  for (let z = 12; z <= maxZoom; z++) {
    const at = (fraction: number) => Math.floor(fraction * 2 ** z);
    for (let x = at(mercatorX(west)); x <= at(mercatorX(east)); x++) {
      for (let y = at(mercatorY(north)); y <= at(mercatorY(south)); y++)
        addresses.push({ z, x, y });
    }
  }
  async function* tiles() {
    for (const address of inArchiveOrder(addresses).slice(lacksTile ? 1 : 0)) {
      yield { address, bytes: Buffer.from(`${address.z}/${address.x}/${address.y}`) };
    }
  }
  const file = join(testFolder(), 'streets.pmtiles');
  await writePmtiles(file, tiles(), {
    bounds,
    minZoom: 12,
    maxZoom,
    metadata: {
      name: 'Streets of Dallas',
      version: '4.13.7',
      ...(date !== null && { 'planetiler:osm:osmosisreplicationtime': date }),
      vector_layers: layers.map((id) => ({ id, fields: {} })),
    },
  });
  return file;
}

/** Serves a file to the user `me` by ranges or, below `/whole`, without them. */
async function serveFile(file: string) {
  const bytes = readFileSync(file);
  const server = createServer(({ url, headers }, response) => {
    const isKnown = headers.authorization === `Basic ${btoa('me:hunter2')}`;
    if (!isKnown) return response.writeHead(401).end();
    const [from, to] = /(\d+)-(\d+)/
      .exec(headers.range ?? '')!
      .slice(1)
      .map(Number);
    if (url!.startsWith('/whole')) return response.end(bytes);
    const part = bytes.subarray(from, to! + 1);
    const range = `bytes ${from}-${from! + part.length - 1}/${bytes.length}`;
    return response.writeHead(206, { 'content-range': range, etag: '"1"' }).end(part);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterAll(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const migrations = migrationNames();

describe('territory-admin doctor', () => {
  it('checks everything that the service needs, and passes without data', async () => {
    const result = await doctor({ BASE_URL: 'https://territory.example.com' }, '--json');
    expect(result.code).toBe(0);
    const report = reportOf(result);
    expect(report.passed).toBe(true);
    const statuses = Object.fromEntries(report.findings.map((f) => [f.check, f.status]));
    expect(statuses).toMatchObject({
      Node: 'ok',
      Address: 'ok',
      Database: 'ok',
      Rights: 'ok',
      PostGIS: 'ok',
      Migrations: 'ok',
      Data: 'warning',
      Streets: 'skipped',
      Redis: 'skipped',
      'Drive times': 'skipped',
      Addresses: 'skipped',
      Fonts: 'ok',
      Rendering: 'ok',
    });
    expect(findingOf(report, 'Rendering')!.detail).toMatch(
      /^canvas, drew .*auto, which selects canvas/,
    );
    expect(findingOf(report, 'Data')!.fix).toContain('territory-admin import zcta');
  });

  it('shows the memory of each part, and says if it’s too little or more than the machine has', async () => {
    const [usual, little, much] = await Promise.all(
      ['1024', '300', '1000000'].map((MEMORY_MB) => find('Memory', { MEMORY_MB })),
    );
    expect(usual).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(
        /^1.0 GB \(MEMORY_MB\): .*the program 150 MB, the cache \d+ MB, \d threads? for pictures \d+ MB, files, exhibits, and designs \d+ MB$/,
      ),
    });
    expect(little).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('MEMORY_MB is 300, but the service takes at least'),
    });
    expect(much).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('Lower MEMORY_MB'),
    });
  });

  it('accepts the versions of Node that the package supports', () => {
    const { engines } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8'));
    expect(engines.node).toBe('^20.19.0 || >=22.12.0');
    const supported = [
      '18.20.4',
      '20.18.1',
      '20.19.0',
      '21.7.3',
      '22.11.0',
      '22.12.0',
      '24.1.0',
    ].filter((version) => checkNode(version).status === 'ok');
    expect(supported).toEqual(['20.19.0', '22.12.0', '24.1.0']);
  });

  it.each(hasRedis ? ['1', '2'] : ['1'])(
    'reports unencrypted secrets and lost keys, with %s processes',
    async (count) => {
      const status = env.DATABASE_URL === undefined ? 'skipped' : 'warning';
      expect(await find('Secrets')).toMatchObject({ status });
      const [one, other] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));
      const id = randomUUID();
      onTestFinished(async () => void (await db.query('delete from authenticator_apps')));
      await db.query(`insert into people (id, email, name) values ($1, $2, 'Pat')`, [
        id,
        `app${count}@example.com`,
      ]);
      await setUpApp(db, appSecretBox([]), { id, email: 'app@example.com' });
      expect(await find('Secrets')).toMatchObject({
        status: 'warning',
        detail: expect.stringContaining('SECRET_KEY is not set'),
      });
      const shared = count === '2' && {
        REDIS_URL: (await testRedis()).url,
        WEB_CONCURRENCY: count,
      };
      const settings = { SECRET_KEY: one!, SAMPLE_DATA: 'never', ...shared };
      const service = await startService({ ...env, ...settings });
      await expect
        .poll(() => find('Secrets', { SECRET_KEY: one! }))
        .toMatchObject({ status: 'ok', detail: '1 authenticator app, encrypted' });
      await service.stop();
      expect(await find('Secrets', { SECRET_KEY: `${other},${one}` })).toMatchObject({
        status: 'ok',
      });
      expect(await find('Secrets', { SECRET_KEY: other! })).toMatchObject({
        status: 'failed',
        detail: 'SECRET_KEY lacks the key of 1 authenticator app',
      });
    },
  );

  it('prints a table for people, and fails on warnings with --strict', async () => {
    const { code, stdout } = await doctor({}, '--strict');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ +ok {2}Node\n +Node \d+/m);
    expect(stdout).toMatch(/^ *warn {2}Data\n/m);
    expect(stdout).toMatch(/^Nothing failed, (1 warning|(?!1 )\d+ warnings)\.$/m);
  });

  it('names migrations that are missing, changed, or from a newer version', async () => {
    const last = migrations.at(-1)!;
    await db.query('delete from schema_migrations where name = $1', [last]);
    expect(await find('Migrations')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining(`1 missing: ${last}`),
    });
    await db.query(`insert into schema_migrations (name, checksum) values ($1, 'x')`, [last]);
    expect(await find('Migrations')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining(`Changed since the database applied them: ${last}`),
    });
    await db.query('update schema_migrations set name = $1 where name = $2', ['9999_x.sql', last]);
    expect(await find('Migrations')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('newer version of the service'),
    });
  });

  it('finds real figures next to sample data, and scores older than the figures', async () => {
    await db.query(`insert into datasets (name, vintage, synthetic) values
      ('boundaries', 'Sample data', true), ('demographics', 'ACS 5-Year 2019-2023', false),
      ('scores', 'ACS 5-Year 2019-2023', false)`);
    expect(await find('Data')).toMatchObject({
      status: 'failed',
      detail: 'The demographics are real, but the boundaries are sample data',
    });
    await db.query(`update datasets set synthetic = false`);
    await db.query(
      `update datasets set imported_at = now() - interval '1 day' where name = 'scores'`,
    );
    expect(await find('Data')).toMatchObject({
      status: 'warning',
      fix: 'Run territory-admin score.',
    });
  });

  it('reads the archive of streets, from a file and from a server', async () => {
    const file = await streetsFile();
    const host = await serveFile(file);
    expect(await find('Streets')).toMatchObject({
      status: 'skipped',
      detail: 'BASEMAP_TILES is not set: maps are plain',
    });
    expect(await find('Streets', { BASEMAP_TILES: file })).toEqual({
      check: 'Streets',
      status: 'ok',
      detail:
        `Streets of Dallas 4.13.7 (${file}): 0 MB, gzip, zooms 12 to 14, bounds -96.9,32.7,-96.7,32.9, ` +
        `OpenStreetMap data of ${TODAY.slice(0, 10)}`,
    });
    expect(
      await find('Streets', { BASEMAP_TILES: `http://me:hunter2@${host}/us.pmtiles?key=hunter2` }),
    ).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining(`(http://${host}/us.pmtiles): `),
    });
    await db.query(`insert into datasets (name, vintage, synthetic) values ('boundaries', '', true)
      on conflict (name) do update set synthetic = true`);
    expect((await find('Streets'))!.detail).toContain('made-up streets of downtown Dallas');
    await db.query(`update datasets set synthetic = false`);
  });

  it('says what to do about an archive of streets that can’t be used', async () => {
    const host = await serveFile(await streetsFile());
    const check = (address: string) => find('Streets', { BASEMAP_TILES: address });
    const folder = testFolder();
    expect(await check(join(folder, 'no.pmtiles'))).toMatchObject({
      status: 'failed',
      detail: `There is no file or folder ${join(folder, 'no.pmtiles')}. Check the path`,
    });
    const cut = join(folder, 'cut.pmtiles');
    writeFileSync(cut, readFileSync(await streetsFile()).subarray(0, -10));
    expect(await check(cut)).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/can’t be read: it is cut off: it has \d+ of \d+ bytes$/),
      fix: expect.stringContaining('copy or extract it again. Until then, maps are plain'),
    });
    expect(await check(projectFile('package.json'))).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('package.json is not a PMTiles archive'),
      fix: expect.stringContaining('Protomaps’ daily builds'),
    });
    expect(await check(await streetsFile({ layers: ['transportation'] }))).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('has the schema OpenMapTiles'),
    });
    expect(await check(`http://me:hunter2@${host}/whole/us.pmtiles`)).toEqual({
      check: 'Streets',
      status: 'failed',
      detail: `The archive http://${host}/whole/us.pmtiles can’t be read: its server ignores range requests: use one that supports them`,
      fix: 'Check BASEMAP_TILES and its server. Until then, maps are plain.',
    });
    expect(await check(`http://127.0.0.1:${await freePort()}/us.pmtiles`)).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('warns of streets that are old, coarse, elsewhere, or cut along a border', async () => {
    const old = await streetsFile({ date: '2020-01-02T00:00:00Z', maxZoom: 12, lacksTile: true });
    const finding = await find('Streets', { BASEMAP_TILES: old });
    expect(finding).toMatchObject({ status: 'warning' });
    expect(finding!.detail.split('. ').slice(1)).toEqual([
      'Its OpenStreetMap data is older than a year',
      'It ends at zoom 12, so streets are missing or coarse up close',
      'Within its bounds, it lacks 1 of 9 tiles in a sample, and maps are plain there',
    ]);
    expect(finding!.fix).toMatch(/--maxzoom=14\. Cut it with --bbox instead of --region\.$/);
    const undated = await streetsFile({ date: null, bounds: [7.4, 43.7, 7.5, 43.8] });
    const check = () => find('Streets', { BASEMAP_TILES: undated });
    expect((await check())!.detail).toMatch(
      /doesn’t state the date .*\. It lies outside the United States and its islands$/,
    );
    await db.query(`insert into zips (zip, state, centroid, land_area_m2, bbox)
      select '75201', 'TX', point, 1e6, st_expand(point, 0.1)
      from st_setsrid(st_makepoint(-96.8, 32.8), 4326) as point`);
    expect((await check())!.detail).toMatch(
      /0 of 1 ZIP codes .*No imported ZIP code is within its bounds$/,
    );
    expect((await find('Streets', { BASEMAP_TILES: await streetsFile() }))!).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/, 1 of 1 ZIP codes within$/),
    });
    await db.query('delete from zips');
  });

  it('computes a drive with the routing server', async () => {
    const router = await startRouter();
    const check = (more: Record<string, string> = {}) =>
      find('Drive times', { ROUTING_URL: router.url, ...more });
    expect(await check()).toMatchObject({ status: 'skipped' });
    await db.query(`insert into zips (zip, state, centroid, land_area_m2, bbox)
      select '75201', 'TX', point, 1e6, st_expand(point, 0.1)
      from st_setsrid(st_makepoint(-96.8, 32.8), 4326) as point`);
    expect(await check()).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/a 10-minute drive from 75201 reaches 1 ZIP code$/),
    });
    expect(await check({ ROUTING_ENGINE: 'osrm' })).toMatchObject({ status: 'ok' });
    expect(await check({ ROUTING_URL: `${router.url}/elsewhere` })).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('status 404: {"error_code":106'),
      fix: expect.stringContaining('Check that ROUTING_URL is correct'),
    });
  });

  it('searches for a city with the geocoder', async () => {
    let answer: [number, string] = [
      200,
      '[{"lat":"32.8","lon":"-96.8","display_name":"Dallas, Texas"}]',
    ];
    const queries: string[] = [];
    const geocoder = createServer(({ url }, response) => {
      queries.push(new URL(url!, 'http://geocoder').searchParams.get('q')!);
      response.writeHead(answer[0]).end(answer[1]);
    });
    await once(geocoder.listen(0, '127.0.0.1'), 'listening');
    afterAll(() => geocoder.close());
    const { port } = geocoder.address() as AddressInfo;
    const check = () => find('Addresses', { GEOCODER_URL: `http://key:hunter2@127.0.0.1:${port}` });
    expect(await check()).toMatchObject({ status: 'skipped' }); // the ZIP code has no city
    await db.query(`update zips set city = 'Dallas' where zip = '75201'`);
    expect(await check()).toMatchObject({
      status: 'ok',
      detail: `nominatim at 127.0.0.1:${port} finds Dallas, TX`,
    });
    answer = [200, '[]'];
    expect(await check()).toMatchObject({ status: 'warning' });
    answer = [401, '{"error":"no such key"}'];
    const refused = await check();
    expect(refused).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('status 401'),
      fix: expect.stringContaining('Check that GEOCODER_URL is correct'),
    });
    expect(JSON.stringify(refused)).not.toContain('hunter2');
    expect(queries).toEqual(['dallas, tx', 'dallas, tx', 'dallas, tx']);
  });

  it('finds ZIP codes without figures and metros without ZIP codes', async () => {
    const finding = await find('Vintages');
    expect(finding).toMatchObject({ status: 'warning' });
    expect(finding!.detail).toMatch(
      /1 ZIP code has a boundary but no figures.*launched metros without ZIP codes/,
    );
  });

  it('stops if the database can’t be reached, and hides the password', async () => {
    const url = 'postgresql://territory:hunter2@127.0.0.1:1/territory';
    const { code, stdout } = await doctor({ DATABASE_URL: url }, '--json');
    expect(code).toBe(1);
    const report = JSON.parse(stdout) as Report;
    expect(findingOf(report, 'Database')).toMatchObject({
      status: 'failed',
      detail: 'The database at 127.0.0.1:1 can’t be reached (ECONNREFUSED)',
      fix: expect.stringContaining('DATABASE_URL'),
    });
    expect(findingOf(report, 'Rights')).toBeUndefined();
    expect(findingOf(report, 'Fonts')).toMatchObject({ status: 'ok' });
    expect(stdout).not.toContain('hunter2');
  });

  it('creates no embedded database', async () => {
    const folder = testFolder();
    const report = reportOf(await runAdmin(['doctor', '--json'], { DATA_DIR: join(folder, 'x') }));
    expect(findingOf(report, 'Database')).toMatchObject({ status: 'skipped' });
    expect(findingOf(report, 'Disk')).toMatchObject({ status: 'ok' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports Redis that can’t be reached', async () => {
    expect(await find('Redis', { REDIS_URL: 'redis://:hunter2@127.0.0.1:1' })).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/^Redis at 127\.0\.0\.1:1 can’t be used/),
    });
  });

  it('reports a mail server that can’t be reached', async () => {
    const settings = {
      SMTP_URL: 'smtp://robot:hunter2@127.0.0.1:1',
      MAIL_FROM: 'Territory <mail@territory.example>',
    };
    const finding = await find('Email', settings);
    expect(finding).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/^SMTP at 127\.0\.0\.1:1 can’t be used: .*ECONNREFUSED/),
    });
    expect(JSON.stringify(finding)).not.toContain('hunter2');
  });

  it.skipIf(!hasRedis)('reports the version of Redis', async () => {
    const redis = await testRedis();
    await redis.start();
    try {
      expect(await find('Redis', { REDIS_URL: redis.url })).toMatchObject({
        status: 'ok',
        detail: expect.stringMatching(/^Redis \d+\.\d+/),
      });
      const locked = new Redis(redis.url);
      await locked.config('SET', 'requirepass', 'hunter2');
      locked.disconnect();
      const { host } = new URL(redis.url);
      for (const user of ['', ':wrong@']) {
        expect(await find('Redis', { REDIS_URL: `redis://${user}${host}` })).toMatchObject({
          status: 'failed',
          detail: `Redis at ${host} can’t be used: it refuses the password`,
        });
      }
    } finally {
      await redis.stop();
    }
  });
});

describe.skipIf(inject('testServer') === undefined)('a database user without rights', () => {
  it('names the missing rights', async () => {
    await db.query('drop role if exists territory_doctor_test');
    await db.query(`create role territory_doctor_test login password 'x'`);
    try {
      const url = new URL(env.DATABASE_URL!);
      url.username = 'territory_doctor_test';
      url.password = 'x';
      const finding = await find('Rights', { DATABASE_URL: url.href });
      expect(finding).toMatchObject({ status: 'failed' });
      expect(finding!.detail).toMatch(
        /territory_doctor_test may not create tables .*create schemas.*tables of another user \(activity/,
      );
    } finally {
      await db.query('drop role territory_doctor_test');
    }
  });

  it('needs an administrator who creates the extension PostGIS', async () => {
    const owner = 'territory_doctor_owner';
    await db.query(`drop database if exists ${owner}`);
    await db.query(`drop role if exists ${owner}`);
    await db.query(`create role ${owner} login password 'x' createrole`);
    await db.query(`create database ${owner} owner ${owner}`);
    try {
      const url = new URL(env.DATABASE_URL!);
      Object.assign(url, { username: owner, password: 'x', pathname: owner });
      const report = reportOf(await doctor({ DATABASE_URL: url.href }, '--json'));
      expect(report.passed).toBe(false);
      expect(findingOf(report, 'Rights')).toMatchObject({ status: 'ok' });
      expect(findingOf(report, 'PostGIS')).toMatchObject({
        status: 'failed',
        detail: expect.stringContaining('permission denied to create extension'),
        fix: expect.stringContaining('create extension postgis'),
      });
      expect(findingOf(report, 'Migrations')).toMatchObject({
        status: 'warning',
        detail: 'No migrations are applied yet',
      });
      // The check tries to create it, and leaves nothing behind.
      await db.query(`alter role ${owner} superuser`);
      const allowed = { status: 'ok', detail: expect.stringContaining('the first start creates') };
      expect(await find('PostGIS', { DATABASE_URL: url.href })).toMatchObject(allowed);
      expect(await find('PostGIS', { DATABASE_URL: url.href })).toMatchObject(allowed);
    } finally {
      await db.query(`drop database ${owner}`);
      await db.query(`drop role ${owner}`);
    }
  });
});
