import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkReplica } from '../../../src/run/admin/doctor/replica.ts';
import { readConfig } from '../../../src/config.ts';
import { openDatabase, type Database } from '../../../src/base/db/database.ts';
import { replicaDeadlines, serviceDeadlines } from '../../../src/base/db/deadlines.ts';
import { recordDataset } from '../../../src/base/db/datasets.ts';
import {
  importedData,
  OtherVersionError,
  readVersion,
  type DataAt,
} from '../../../src/base/db/imported-data.ts';
import {
  openSharedAnswers,
  type SharedAnswers,
} from '../../../src/doors/http/answers/shared-answers.ts';
import { publicBestZips } from '../../../src/data/market/public/ranking.ts';
import { PUBLIC_DATASETS } from '../../../src/data/market/public/source.ts';
import { publicZipProfile } from '../../../src/data/market/public/zip.ts';
import { memoryLimiter, type Limiter } from '../../../src/people/metering/limiter.ts';
import { createMetrics } from '../../../src/base/observe/metrics.ts';
import { bringUpToDate } from '../../../src/run/start/prepare.ts';
import { tally } from '../../../src/base/observe/tally.ts';
import { serveBare } from '../../support/bare-app.ts';
import {
  hasPrivatePostgis,
  privatePostgis,
  type PrivatePostgis,
} from '../../support/servers/private-postgis.ts';
import { testLog } from '../../support/log.ts';
import { hasRedis, testRedis, type TestRedis } from '../../support/servers/redis.ts';
import { importVersion, VERSION_ZIPS } from '../../support/versioned-import.ts';

const TIMEOUT_MS = 3_000;
/** Answers don't wait long for a Redis that is frozen. */
const REDIS_TIMEOUT_MS = 300;

/**
 * Counts each request as that of a new client. The slower the machine, the longer visitors ask while data is
 * imported, and the more they ask.
 */
function newClients(): Limiter {
  const limiter = memoryLimiter();
  return { ...limiter, count: (policy) => limiter.count(policy, randomUUID()) };
}

describe.runIf(hasPrivatePostgis && hasRedis)('a streaming replica', () => {
  let primary: PrivatePostgis;
  let replica: PrivatePostgis;
  let env: Record<string, string>;
  /** Migrations and imports */
  let operator: Database;
  /** The service's database */
  let db: Database;
  /** A separate connection to the replica */
  let onReplica: Database;
  let port: number;
  /** Two processes that share answers in Redis: by their ports */
  let sharing: number[] = [];
  let redis: TestRedis;
  const opened: (Database | SharedAnswers)[] = [];
  const events: string[] = [];

  beforeAll(async () => {
    primary = await privatePostgis({ logsStatements: true });
    operator = await open(urlOf(primary));
    // The replica inherits this setting, so it soon cancels statements that block an import.
    await operator.query(`alter system set max_standby_streaming_delay = '50ms'`);
    await bringUpToDate(operator);
    await operator.query('create role reader login in role territory_tenant');
    await operator.query(`
      create function read_around_pause(first boolean) returns float8 language plpgsql as $$
      declare area float8;
      begin
        if first then select max(land_area_m2) into area from zips; end if;
        perform pg_sleep(0.6);
        if not first then select max(land_area_m2) into area from zips; end if;
        return area;
      end $$`);
    await importVersion(operator, 1);
    replica = await primary.replicate();
    env = { DATABASE_URL: urlOf(primary), DATABASE_READ_URL: urlOf(replica, 'reader') };
    onReplica = await open(urlOf(replica));
    db = await openWithReplica((lost) => events.push(lost ? 'lost' : 'back'));
    port = await serveBare({ db, limiter: newClients() });
    redis = await testRedis();
    await redis.start();
    sharing = await Promise.all(Array.from({ length: 2 }, serveSharing));
  });
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await redis.stop();
    await Promise.all([operator, db, onReplica].map((each) => each.close(500)));
    await replica.remove();
    await primary.remove();
  });

  const open = (databaseUrl: string) =>
    openDatabase({ databaseUrl, databasePoolSize: 2, dataDir: '' });
  const openWithReplica = (changed: (lost?: Error) => void) =>
    openDatabase(
      { databaseUrl: env.DATABASE_URL, databasePoolSize: 8, dataDir: '' },
      {
        deadlines: serviceDeadlines(TIMEOUT_MS),
        replica: { url: env.DATABASE_READ_URL!, deadlines: replicaDeadlines(TIMEOUT_MS), changed },
      },
    );
  async function serveSharing(): Promise<number> {
    const own = await openWithReplica(() => {});
    const options = { timeoutMs: REDIS_TIMEOUT_MS, namespace: async () => 'replica' };
    const sharedAnswers = await openSharedAnswers(redis.url, options, testLog());
    opened.push(own, sharedAnswers);
    return serveBare({ db: own, sharedAnswers, limiter: newClients() });
  }
  const get = (path: string) => fetch(`http://127.0.0.1:${port}/api${path}`);
  const isUsed = () => db.replica!.isUsed();
  /** Waits until the replica has applied everything and is used. */
  const caughtUp = async () => {
    await expect.poll(async () => (await db.replica!.lag())?.bytes).toBe(0);
    await expect.poll(isUsed).toBe(true);
  };
  /** The replica may cancel this statement, too. */
  const control = async (sql: string) => {
    await expect.poll(() => onReplica.query(sql).catch(() => null)).toBeTruthy();
  };
  const pause = () => control('select pg_wal_replay_pause()');
  const resume = () => control('select pg_wal_replay_resume()');

  it('answers the public layer, tiles, and map data', async () => {
    await caughtUp();
    const [before, after] = [primary.log().length, replica.log().length];
    const paths = [
      '/public/zip/75201',
      '/public/metro/dallas-tx/vertical/roofing',
      '/public/data-study.csv',
      '/tiles/zips/8/59/103.mvt',
      '/tiles/zips.json',
    ];
    for (const path of paths) expect(await get(path)).toMatchObject({ status: 200 });
    const data = /from (zips|zip_scores|metro_counties|\(select st_extent)/g;
    expect(primary.log().slice(before)).not.toMatch(data);
    expect(replica.log().slice(after).match(data)!.length).toBeGreaterThan(4);
  });

  it('is read with the rights of shared data only', async () => {
    const at = importedData(db, PUBLIC_DATASETS);
    const [row] = await at.read((reader) => reader.query('select current_user as role'));
    expect(row).toEqual({ role: 'territory_tenant' });
  });

  it('leaves reads to the primary while it lags behind, and serves them again afterwards', async () => {
    await pause();
    await importVersion(operator, 2);
    const skippedBefore = tally.reads.skipped + tally.reads.behind;
    expect(await bestVersions()).toEqual(new Set([2]));
    expect(tally.reads.skipped + tally.reads.behind).toBeGreaterThan(skippedBefore);
    expect((await db.replica!.lag())!.bytes).toBeGreaterThan(0);
    expect(await checkReplica(operator, readConfig(env))).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('older data'),
    });
    await resume();
    await caughtUp();
    const servedBefore = tally.reads.replica;
    expect(await bestVersions()).toEqual(new Set([2]));
    expect(tally.reads.replica).toBeGreaterThan(servedBefore);
    expect(await checkReplica(operator, readConfig(env))).toMatchObject({ status: 'ok' });
  });

  it('is reported by doctor if its user lacks a right or it can’t be reached', async () => {
    await operator.query('create role outsider login');
    await caughtUp();
    const check = (url: string) =>
      checkReplica(operator, readConfig({ ...env, DATABASE_READ_URL: url }));
    expect(await check(urlOf(replica, 'outsider'))).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('may not use the role territory_tenant'),
    });
    expect(await check('postgresql://reader@127.0.0.1:1/x')).toMatchObject({
      status: 'warning',
      detail:
        'The replica can’t be read: The database at 127.0.0.1:1 can’t be reached (ECONNREFUSED)',
    });
  });

  it.each([true, false])(
    'refuses a read during which it changes versions (read first: %s)',
    async (first) => {
      await caughtUp();
      const data = importedData(operator, ['boundaries']);
      const stamps = [await data.stamp()];
      await pause();
      await operator.transaction(async (tx) => {
        await tx.query('update zips set land_area_m2 = land_area_m2 + 1');
        await recordDataset(tx, 'boundaries', { vintage: '2', synthetic: true });
      });
      stamps.push(await data.stamp());
      // Reads the old version before the pause, or the new one after it.
      const version = { lists: [['boundaries']] as const, stamp: stamps[first ? 1 : 0]! };
      const reading = onReplica.transaction((tx) =>
        readVersion(
          tx.query,
          version,
          [{ sql: 'select read_around_pause($1)', values: [first] }],
          true,
        ),
      );
      const resumed = delay(200).then(resume);
      await expect(reading).rejects.toThrow(OtherVersionError);
      await resumed;
    },
  );

  const bestVersions = () => importedData(db, PUBLIC_DATASETS).read(versionsOf);

  /** Returns the versions of everything in an answer of several reads. */
  async function versionsOf(at: DataAt): Promise<Set<number>> {
    const [best, zip] = await Promise.all([
      publicBestZips(at, 'dallas-tx', 'roofing'),
      publicZipProfile(at, '75201'),
    ]);
    const later = await publicBestZips(at, 'dallas-tx', 'roofing');
    return new Set(
      [
        ...[best, later].flatMap(({ zips, vintage }) => [
          vintage,
          ...zips.flatMap(({ city, score }) => [city, score]),
        ]),
        zip.vintage,
        zip.demographics.populationTotal,
        zip.scores[0]!.score,
      ].map(Number),
    );
  }

  it('never mixes versions or returns to an older one while imports arrive late, even through Redis', async () => {
    await importVersion(operator, 3);
    let committed = 3;
    let importing = true;
    const imports = (async () => {
      while (committed < 10) {
        await pause();
        await importVersion(operator, committed + 1);
        committed++;
        await delay(60);
        await resume();
        await delay(60);
      }
      importing = false;
    })();
    let answers = 0;
    const readers = Array.from({ length: 3 }, async () => {
      while (importing) {
        const oldest = committed;
        const versions = [...(await bestVersions())];
        expect(versions).toHaveLength(1);
        expect(versions[0]).toBeGreaterThanOrEqual(oldest);
        answers++;
        await delay(5);
      }
    });
    /** Cached answers may be 5 seconds old, but each is of one version, and none is older than the last. */
    const visitor = async (at = port) => {
      for (let newest = 0, n = 0; importing; n++) {
        const zip = VERSION_ZIPS[n % VERSION_ZIPS.length]!;
        const response = await fetch(`http://127.0.0.1:${at}/api/public/zip/${zip}`);
        expect(response.status).toBe(200);
        const { vintage, demographics, scores } = (await response.json()) as Profile;
        const versions = new Set([+vintage, demographics.populationTotal, scores[0]!.score]);
        expect(versions.size).toBe(1);
        expect(+vintage).toBeGreaterThanOrEqual(newest);
        newest = +vintage;
        await delay(40);
      }
    };
    const shared = { ...tally.sharedCache };
    const outage = async () => {
      await expect.poll(() => committed).toBe(5);
      redis.freeze();
      await expect.poll(() => committed).toBe(7);
      redis.thaw();
    };
    await Promise.all([
      imports,
      ...readers,
      visitor(),
      outage(),
      ...sharing.map((at) => visitor(at)),
    ]);
    expect(answers).toBeGreaterThan(10);
    expect(tally.sharedCache.hit).toBeGreaterThan(shared.hit);
    expect(tally.sharedCache.alone).toBeGreaterThan(shared.alone);
    await caughtUp();
    expect(await bestVersions()).toEqual(new Set([10]));
  });

  interface Profile {
    vintage: string;
    demographics: { populationTotal: number };
    scores: { score: number }[];
  }

  it.each(['crash', 'freeze'] as const)('may %s without failing a request', async (fault) => {
    await caughtUp();
    events.length = 0;
    let running = true;
    let slowestMs = 0;
    const visitors = Array.from({ length: 3 }, async () => {
      while (running) {
        const start = performance.now();
        expect(await bestVersions()).toEqual(new Set([10]));
        slowestMs = Math.max(slowestMs, performance.now() - start);
        await delay(5);
      }
    });
    await delay(100);
    await replica[fault]();
    await expect.poll(isUsed).toBe(false);
    await expect.poll(async () => (await get('/healthz')).status).toBe(200);
    const { skipped } = tally.reads;
    await expect.poll(() => tally.reads.skipped).toBeGreaterThan(skipped + 10);
    expect(await checkReplica(operator, readConfig(env))).toMatchObject({ status: 'warning' });
    if (fault === 'freeze') replica.thaw();
    else await replica.start();
    await caughtUp();
    running = false;
    await Promise.all(visitors);
    expect(slowestMs).toBeLessThan(5_000);
    expect(events).toEqual(['lost', 'back']);
  });

  it('shows its connections, its lag, and its reads in the metrics', async () => {
    const renderer = {
      engine: 'canvas',
      stats: { queued: 0, running: 0, done: 0, failed: 0, lost: 0 },
    };
    const metrics = createMetrics({
      renderer: renderer as never,
      replica: db.replica,
      backlog: async () => null,
    });
    const text = await metrics.metrics();
    for (const line of [
      /^territory_replica_connections_max 8$/m,
      /^territory_replica_used 1$/m,
      /^territory_replica_lag_bytes 0$/m,
      /^territory_replica_lag_seconds 0$/m,
      /^territory_replica_reads_total\{outcome="replica"\} [1-9]/m,
      /^territory_replica_reads_total\{outcome="behind"\} [1-9]/m,
    ])
      expect(text).toMatch(line);
  });

  it('serves no old data after it has been promoted', async () => {
    await onReplica.query('select pg_promote()');
    await importVersion(operator, 11);
    expect(await bestVersions()).toEqual(new Set([11]));
    expect(await checkReplica(operator, readConfig(env))).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('not a replica'),
    });
  });
});

const urlOf = ({ port }: PrivatePostgis, user = 'postgres') =>
  `postgresql://${user}@127.0.0.1:${port}/postgres`;
