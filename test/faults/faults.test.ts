/**
 * Outages of the database, locks, crashes, floods, and isolation, on both databases. In each outage, every
 * request is answered within 5 seconds, cached answers at once, `/healthz` reports the state within
 * 2 seconds, and everything works again within 2 seconds after it, on an idle machine.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPrivatePostgis } from '../support/servers/private-postgis.ts';
import type { RunningService } from '../support/processes.ts';
import { allKinds, callsOf, isRefused, isServed, msUntil, type Calls } from './calls.ts';
import { crashes } from './crashes.ts';
import {
  newOrganization,
  openFaulty,
  type FaultyDatabase,
  type Organization,
} from './faulty-service.ts';
import { FULL, GOALS, recordFigures, SLACK } from './figures.ts';
import { floods } from './floods.ts';
import { isolation } from './isolation.ts';
import type { Stage } from './stage.ts';

const ANSWER_MS = GOALS.answeredMs * SLACK;
const CACHED_MS = GOALS.cachedMs * SLACK ** 2;
const HEALTH_MS = GOALS.healthMs * SLACK;
/** The embedded database runs one transaction at a time, so it ends one that is idle for this long. */
const IDLE_MS = 2_000;
const RECOVERY_MS = GOALS.recoveredMs * SLACK;
const OUTAGE_MS = FULL ? 8_000 : 2_000;
/** Between rounds of requests */
const PAUSE_MS = FULL ? 0 : 50;

interface Outage {
  name: string;
  begin(database: FaultyDatabase): unknown;
  end(database: FaultyDatabase): unknown;
  /** Whether the database can be reached with new connections */
  reachable?: boolean;
  /** Only in `npm run faults` */
  full?: boolean;
}

const OUTAGES: Outage[] = [
  {
    name: 'all open connections die silently',
    begin: ({ proxy }) => proxy.kill(),
    end: () => {},
    reachable: true,
  },
  {
    name: 'a black hole',
    begin: ({ proxy }) => proxy.blackHole(),
    end: ({ proxy }) => proxy.mend(),
  },
  {
    name: 'lost answers',
    begin: ({ proxy }) => proxy.halfOpen(),
    end: ({ proxy }) => proxy.mend(),
    full: true,
  },
  {
    name: 'a stopped database process',
    begin: (database) => database.freeze(),
    end: (database) => database.thaw(),
  },
  {
    name: 'reset connections',
    begin: ({ proxy }) => proxy.reset(),
    end: () => {},
    reachable: true,
    full: true,
  },
  {
    name: 'a delay of 2 s each way',
    begin: ({ proxy }) => proxy.delay(2_000),
    end: ({ proxy }) => proxy.mend(),
    full: true,
  },
  {
    name: 'a delay of 0.2 s each way',
    begin: ({ proxy }) => proxy.delay(200),
    end: ({ proxy }) => proxy.mend(),
    reachable: true,
    full: true,
  },
  {
    name: 'a crash and restart',
    begin: (database) => database.crash(),
    end: (database) => database.start(),
  },
];

describe.each(['PostGIS', 'embedded'] as const)('the service on %s', (kind) => {
  const run = kind === 'embedded' || hasPrivatePostgis;
  let database: FaultyDatabase;
  let service: RunningService;
  let calls: Calls;
  let ours: Organization;
  let theirs: Organization;

  beforeAll(async () => {
    if (!run) return;
    database = await openFaulty[kind]();
    ours = await newOrganization(database.db);
    theirs = await newOrganization(database.db);
    service = await database.serve();
    calls = callsOf(service.url);
  });
  afterAll(async () => {
    await service?.stop();
    await database?.remove();
  });

  /** Opens all connections of the pool, and fills the cache. */
  async function warmUp(): Promise<void> {
    expect(await calls.cached()).toMatchObject({ status: 200 });
    const answers = await allKinds(calls, theirs, 5);
    expect(answers.filter((answer) => !isServed(answer))).toEqual([]);
  }

  const isHealthy = async () => (await calls.health()).status === 200;

  for (const outage of OUTAGES.filter(({ full }) => FULL || !full)) {
    it.runIf(run)(`survives ${outage.name}`, async (context) => {
      await warmUp();
      // The stamp of cached answers expires, so that they ask the database.
      await delay(FULL ? 5_500 : 0);
      const inFlight = allKinds(calls, ours, 1);
      await delay(3);
      const started = performance.now();
      const beginning = Promise.resolve(outage.begin(database));
      const healthy = msUntil(async () => (await isHealthy()) === (outage.reachable ?? false));
      const answers = [...(await inFlight)];
      const cached = [];
      do {
        const round = allKinds(calls, ours, 2);
        cached.push(await calls.cached());
        answers.push(...(await round));
        await delay(PAUSE_MS);
      } while (performance.now() - started < OUTAGE_MS);
      await beginning;
      const healthMs = await healthy;
      await outage.end(database);
      const recoveredMs = await msUntil(
        async () => (await isHealthy()) && (await allKinds(calls, ours, 2)).every(isServed),
      );

      const answeredMs = Math.max(...answers.map(({ ms }) => ms));
      // The slowest shows how busy the machine is, with all calls at the same time.
      const cachedMs = medianOf(cached.map(({ ms }) => ms));
      const served = answers.filter(isServed).length;
      const note = `${served} of ${answers.length} served`;
      recordFigures(context, {
        scenario: outage.name,
        database: kind,
        note,
        answeredMs,
        cachedMs,
        healthMs,
        recoveredMs,
      });
      expect(answers.filter((answer) => !isServed(answer) && !isRefused(answer))).toEqual([]);
      expect(cached.filter(({ status }) => status !== 200)).toEqual([]);
      expect(answeredMs).toBeLessThan(ANSWER_MS);
      expect(cachedMs).toBeLessThan(CACHED_MS);
      expect(Math.max(...cached.map(({ ms }) => ms))).toBeLessThan(10 * CACHED_MS);
      expect(healthMs).toBeLessThan(HEALTH_MS);
      expect(recoveredMs).toBeLessThan(RECOVERY_MS);
    });
  }

  it.runIf(run)('keeps serving others while one brand is locked', async (context) => {
    await warmUp();
    const idleMs = kind === 'embedded' ? IDLE_MS : 0;
    const holder = await database.connect(idleMs);
    await holder.query('begin');
    await holder.query('select from brands where id = $1 for update', [ours.brandId]);
    const stuck = Promise.all(Array.from({ length: 14 }, () => calls.write(ours)));
    const others = [];
    const started = performance.now();
    const healthMs = await msUntil(isHealthy);
    do {
      others.push(...(await allKinds(calls, theirs, 1)), await calls.cached());
      await delay(50);
    } while (performance.now() - started < 4_000);
    const answers = await stuck;
    await holder.query('rollback').catch(() => {});
    await holder.end();
    const recoveredMs = await msUntil(async () => isServed(await calls.write(ours)));

    const answeredMs = Math.max(...answers.map(({ ms }) => ms));
    const slowestMs = Math.max(...others.map(({ ms }) => ms));
    recordFigures(context, {
      scenario: 'one brand locked, 14 writes waiting',
      database: kind,
      answeredMs,
      healthMs,
      recoveredMs,
      note: `${others.length} calls of others within ${Math.round(slowestMs)} ms`,
    });
    expect(answers.filter((answer) => !isServed(answer) && !isRefused(answer))).toEqual([]);
    expect(answers.filter((answer) => !isServed(answer) && !isRefused(answer))).toEqual([]);
    // The embedded database ends the idle transaction, and then some are served.
    const wereLocked = kind === 'embedded' ? [] : answers;
    expect(wereLocked.filter(isServed)).toEqual([]);
    expect(others.filter((answer) => !isServed(answer))).toEqual([]);
    expect(answeredMs).toBeLessThan(ANSWER_MS);
    expect(slowestMs).toBeLessThan(idleMs + 1_000 * SLACK);
    expect(healthMs).toBeLessThan(idleMs + HEALTH_MS);
    expect(recoveredMs).toBeLessThan(RECOVERY_MS);
  });

  for (const outage of OUTAGES.filter(({ reachable }) => !reachable).slice(0, FULL ? 9 : 1)) {
    it.runIf(run)(`stops in time during ${outage.name}`, async (context) => {
      const stopping = await database.serve({ SHUTDOWN_SECONDS: '2' });
      const { read, uncached } = callsOf(stopping.url);
      await expect.poll(async () => isServed(await read(ours))).toBe(true);
      await outage.begin(database);
      const pending = [read(ours), uncached()];
      await delay(100);
      const start = performance.now();
      const code = await stopping.stop();
      const answeredMs = performance.now() - start;
      await outage.end(database);
      await Promise.all(pending);
      recordFigures(context, {
        scenario: `SIGTERM during ${outage.name}`,
        database: kind,
        note: `ended after ${(answeredMs / 1000).toFixed(2)} s of 2 s`,
      });
      expect(code).toBe(0);
      expect(answeredMs).toBeLessThan(2_500 * SLACK);
      await msUntil(async () => isServed(await calls.read(ours)));
    });
  }

  const stage = (): Stage => ({
    database,
    service,
    calls,
    ours,
    theirs,
    async restart() {
      service = await database.serve();
      calls = callsOf(service.url);
    },
  });
  crashes(run, stage);
  // The service stops a flood before it reaches the database, so one database is enough.
  if (FULL || kind === 'PostGIS' || !hasPrivatePostgis) floods(run, stage);
  isolation(run, stage);
});

const medianOf = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
