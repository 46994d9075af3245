/** `territory-admin doctor` on real databases, healthy and not. */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, inject, describe, expect, it } from 'vitest';
import { appSecretBox, setUpApp } from '../../src/account/authenticator-app.ts';
import { checkNode } from '../../src/cli/admin/doctor/machine.ts';
import { projectFile } from '../../src/geodata/project-files.ts';
import { testDatabase, testFolder } from '../support/database.ts';
import { adminCommands } from '../support/many-commands.ts';
import { startService, type CommandResult } from '../support/processes.ts';
import { hasRedis, testRedis } from '../support/servers/redis.ts';
import { startRouter } from '../support/servers/router.ts';

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

const migrations = readdirSync(projectFile('src/db/migrations')).sort();

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

  it('reports secrets that aren’t encrypted, or whose key is missing', async () => {
    expect(await find('Secrets')).toMatchObject({ status: 'skipped' });
    const [one, other] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));
    const id = randomUUID();
    await db.query(`insert into people (id, email, name) values ($1, 'app@example.com', 'Pat')`, [
      id,
    ]);
    await setUpApp(db, appSecretBox([]), { id, email: 'app@example.com' });
    expect(await find('Secrets')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('SECRET_KEY is not set'),
    });
    const service = await startService({ ...env, SECRET_KEY: one!, SAMPLE_DATA: 'never' });
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
    await db.query('delete from authenticator_apps');
  });

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
