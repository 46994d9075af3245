import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { meterOf } from '../../../src/people/metering/meter.ts';
import { loadReach } from '../../../src/territories/plans/reach.ts';
import { driveTimesFrom, type DriveTimes } from '../../../src/data/routing/drive-times.ts';
import { addPlace } from '../../../src/territories/places/places.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { minutesBetween, startRouter } from '../../support/servers/router.ts';
import { hold } from '../brands/holding.ts';
import { callPlans, zipsOf } from './calls.ts';
import { unitsUsed } from '../../people/metering/units-used.ts';

const { db } = await testDatabase('sample');
const router = await startRouter();
const driveTimes = driveTimesFrom({ url: router.url, engine: 'osrm', timeoutMs: 30_000 });
const app = await serveKeyed(db, { driveTimes });
const withoutDrives = await serveKeyed(db);
const { key, caller } = await newKey(db);
const { tenant } = caller;
/** A connected part of Dallas: the ZIP codes around 75201 */
const AREA = (
  await db.query<{ zip: string }>(
    `select zip from zips order by centroid <-> (select centroid from zips where zip = '75201') limit 40`,
  )
)
  .map(({ zip }) => zip)
  .sort();

const call = callPlans(app, key);

let count = 0;
/** Creates a plan of the area and solves a task. */
async function solveArea(task: object, edit: object = {}): Promise<Record<string, any>> {
  const { id } = await call('', { name: `Design ${++count}`, zips: AREA });
  const { version } = await call(`/${id}`, { version: 1, ...edit });
  return { id, ...(await call(`/${id}/solve`, { version, ...task })) };
}

describe('a solve', () => {
  it('divides a market into even, connected territories with the names of cities', async () => {
    const before = await unitsUsed(tenant);
    const answer = await solveArea({ task: 'divide', count: 4 });
    expect(answer).toMatchObject({ status: 200, saved: true, violations: [], ended: 'finished' });
    const { plan, worstDeviationPct, tolerancePct } = answer;
    expect(zipsOf(plan).flat().sort()).toEqual(AREA);
    expect(plan.unassigned).toEqual([]);
    expect(worstDeviationPct).toBeLessThanOrEqual(tolerancePct);
    for (const { pieces, deviationPct } of plan.territories) {
      expect(pieces).toBe(1);
      expect(Math.abs(deviationPct)).toBeLessThanOrEqual(worstDeviationPct + 0.1);
    }
    const names = plan.territories.map(({ name }: { name: string }) => name);
    expect(new Set(names).size).toBe(4);
    expect(names.join()).toContain('Dallas');
    expect(await unitsUsed(tenant)).toBe(before + 10);
    expect(await call(`/${answer['id']}`)).toMatchObject({ version: 3, territoryCount: 4 });
  });

  it('keeps territories, leaves out held ZIP codes, and proposes without saving', async () => {
    const brand = await createBrand(tenant, { name: 'Holder' });
    await hold(tenant, brand, AREA.slice(10, 13));
    const kept = {
      territories: [{ number: 3, name: 'Home' }],
      moves: [{ zips: AREA.slice(0, 2), to: 3 }],
    };
    const task = { task: 'divide', count: 2, keep: [3], excludeHeld: true, save: false };
    const { id, plan, saved } = await solveArea(task, kept);
    expect(saved).toBe(false);
    expect(plan.territories).toMatchObject([
      { number: 1 },
      { number: 2 },
      { number: 3, name: 'Home' },
    ]);
    expect(zipsOf(plan)[2]).toEqual(AREA.slice(0, 2));
    expect(plan.unassigned).toEqual(AREA.slice(10, 13));
    expect(await call(`/${id}`)).toMatchObject({ version: 2, territoryCount: 1 });
  });

  it('rebalances with few moves, fills gaps, splits, and grows', async () => {
    const { id, plan } = await solveArea({ task: 'divide', count: 3 });
    const [first, second] = zipsOf(plan);
    // Moves ZIP codes of one territory to another, and removes some of a third.
    const moves = [
      { zips: first!.slice(0, 2), to: 2 },
      { zips: second!.slice(0, 1), to: null },
    ];
    const edited = await call(`/${id}`, { version: 3, moves });
    const filled = await call(`/${id}/solve`, { version: 4, task: 'fill' });
    expect(filled).toMatchObject({ status: 200, plan: { unassigned: [] } });
    const balanced = await call(`/${id}/solve`, { version: 5, task: 'rebalance' });
    expect(balanced['worstDeviationPct']).toBeLessThanOrEqual(filled['worstDeviationPct']);
    const owner = (state: Record<string, any>) =>
      new Map(zipsOf(state).flatMap((zips, i) => zips.map((zip) => [zip, i] as const)));
    const [was, is] = [owner(filled['plan']), owner(balanced['plan'])];
    expect(AREA.filter((zip) => was.get(zip) !== is.get(zip)).length).toBeLessThan(AREA.length / 4);
    const split = await call(`/${id}/solve`, { version: 6, task: 'split', territory: 1, count: 2 });
    expect(split['plan'].territories.map(({ number }: { number: number }) => number)).toEqual([
      1, 2, 3, 4,
    ]);
    const [west, , , east] = zipsOf(split['plan']);
    expect([...west!, ...east!].sort()).toEqual(zipsOf(balanced['plan'])[0]);
    const freed = await call(`/${id}`, { version: 7, deletions: [4] });
    const target = freed['territories'][0].totals.households * 1.3;
    const grown = await call(`/${id}/solve`, { version: 8, task: 'grow', territory: 1, target });
    expect(zipsOf(grown['plan'])[0]).toEqual(expect.arrayContaining(west!));
    expect(grown['plan'].territories[0].totals.households).toBeGreaterThan(target / 1.3);
    expect(edited['unassigned']).toHaveLength(1);
  });

  it('leaves excluded ZIP codes in their territories', async () => {
    const { id, plan } = await solveArea({ task: 'divide', count: 2 });
    const stay = zipsOf(plan).map(([zip]) => zip!);
    const task = { version: 3, task: 'rebalance', excludeZips: stay };
    const { plan: balanced } = await call(`/${id}/solve`, task);
    expect(zipsOf(balanced)).toEqual(stay.map((zip) => expect.arrayContaining([zip])));
    expect(balanced.unassigned).toEqual([]);
  });

  it('takes the ZIP codes of places as homes', async () => {
    const [home] = AREA;
    const place = { name: 'Dallas office', kind: 'office', zip: home! };
    await addPlace({ ...caller, brandScope: 'all' }, place);
    const request = {
      task: 'divide',
      count: 2,
      seeds: [AREA.at(-1)],
      seedPlaces: ['dallas office'],
    };
    const answer = await solveArea(request);
    expect(answer).toMatchObject({ status: 200 });
    const [first, second] = zipsOf(answer['plan']);
    expect(first).toContain(AREA.at(-1));
    expect(second).toContain(home);
    expect(await solveArea({ ...request, seedPlaces: ['Nowhere'] })).toMatchObject({
      status: 404,
      error: expect.stringContaining('There is no place "Nowhere"'),
    });
  });

  it('keeps every territory within a drive of its home', async () => {
    const centers = await db.query<{ zip: string; lat: number; lng: number }>(
      'select zip, st_y(centroid) as lat, st_x(centroid) as lng from zips where zip = any($1)',
      [AREA],
    );
    const homes = centers.toSorted((a, b) => a.lng - b.lng).filter((_, i) => i % 39 === 0);
    const from = (home: (typeof centers)[number]) =>
      new Map(centers.map((center) => [center.zip, minutesBetween(home, center)]));
    const [west, east] = homes.map(from);
    // Each ZIP code is within reach of a home, but few are within reach of both.
    const nearest = AREA.map((zip) => Math.min(west!.get(zip)!, east!.get(zip)!));
    const maxMinutes = Math.ceil(Math.max(...nearest));
    const task = { task: 'divide', count: 2, seeds: homes.map(({ zip }) => zip) };
    const answer = await solveArea({ ...task, maxMinutes });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer['violations'].map((one: any) => one.constraint)).not.toContain('reach');
    for (const [i, minutes] of [west!, east!].entries()) {
      const drives = zipsOf(answer['plan'])[i]!.map((zip) => minutes.get(zip)!);
      expect(Math.max(...drives)).toBeLessThanOrEqual(maxMinutes);
    }
    expect(zipsOf(answer['plan']).flat().sort()).toEqual(AREA);

    const tooShort = await solveArea({ ...task, maxMinutes: maxMinutes / 2 });
    const far = tooShort['violations'].find((one: any) => one.constraint === 'reach');
    expect(far.zips.length).toBeGreaterThan(0);
    for (const zip of far.zips) {
      expect(Math.min(west!.get(zip)!, east!.get(zip)!)).toBeGreaterThan(maxMinutes / 2);
    }
    router.requests.length = 0;
    const refused = {
      'Give either maxMiles or maxMinutes': { maxMiles: 3 },
      'needs a seed for each of the 2 territories': { seeds: task.seeds.slice(1) },
      'Two territories have the same seed': { seeds: [AREA[0], AREA[0]] },
    };
    for (const [message, change] of Object.entries(refused)) {
      expect(await solveArea({ ...task, maxMinutes: 17, ...change })).toMatchObject({
        status: 400,
        error: expect.stringContaining(message),
      });
    }
    expect(router.requests).toEqual([]);

    router.answer = (_, response) => response.writeHead(400).end('{"code":"NoSegment"}');
    onTestFinished(() => void (router.answer = undefined));
    expect(await solveArea({ ...task, maxMinutes: 17 })).toMatchObject({
      status: 400,
      error: expect.stringMatching(
        new RegExp(`from the seed (${task.seeds.join('|')})\\..*no road.*Choose another seed`),
      ),
    });
    const { id } = await call('', { name: `Design ${++count}`, zips: AREA });
    const response = await fetch(`${withoutDrives.api}/agent/plans/${id}/solve`, {
      headers: { ...bearer(key), ...newClient(), 'Content-Type': 'application/json' },
      method: 'POST',
      body: JSON.stringify({ version: 1, ...task, maxMinutes }),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('This service has no routing server');
  });

  it('reports pairs that stay as they are, though the task has them together or apart', async () => {
    const [one, other, away, held] = AREA as [string, string, string, string];
    const kept = {
      territories: [
        { number: 3, name: 'Home' },
        { number: 4, name: 'Work' },
      ],
      moves: [
        { zips: [one, other], to: 3 },
        { zips: [away, held], to: 4 },
      ],
    };
    const task = { task: 'divide', count: 2, keep: [3], excludeZips: [held], save: false };
    const pairs = {
      apart: [
        [one, other],
        [one, away],
      ],
      together: [
        [one, other],
        [other, held],
      ],
    };
    const { violations } = await solveArea({ ...task, ...pairs }, kept);
    expect(violations).toMatchObject([
      { constraint: 'apart', zips: [one, other], message: expect.stringContaining('territory 3') },
      { constraint: 'together', zips: [other, held] },
    ]);
  });

  it('reports impossible constraints with the nearest result', async () => {
    const answer = await solveArea({
      task: 'divide',
      count: 2,
      apart: [[AREA[0], AREA[1]]],
      together: [AREA.slice(0, 2)],
    });
    expect(answer['status'] === 400 || answer['violations'].length > 0).toBe(true);
    expect(answer['error'] ?? answer['summary']).toMatch(new RegExp(`${AREA[0]}|${AREA[1]}`));
  });

  it.each([
    [{ task: 'divide' }, 'Give either count, or both minimum and maximum.'],
    [{ task: 'fill' }, 'Divide its market first'],
    [{ task: 'split' }, 'territory: required for split'],
    [{ task: 'split', territory: 4 }, 'no territory 4'],
    [{ task: 'rebalance', count: 3 }, 'count: has no effect on rebalance'],
    [{ task: 'rebalance', maxMinutes: 20 }, 'maxMinutes: has no effect on rebalance'],
    [{ task: 'split', territory: 1, maxMiles: 20 }, 'maxMiles: has no effect on split'],
    [{ task: 'divide', count: 3, seeds: ['90210'] }, '90210'],
    [{ task: 'divide', count: 3, colors: 4 }, 'colors'],
  ])('refuses what it can’t do and costs nothing: %o', async (task, message) => {
    const before = await meterOf(tenant, { monthlyUnits: 1000 });
    const answer = await solveArea(task);
    expect(answer).toMatchObject({ status: 400, error: expect.stringContaining(message) });
    expect(await meterOf(tenant, { monthlyUnits: 1000 })).toEqual(before);
  });

  it('never overwrites a concurrent change', async () => {
    const { id } = await call('', { name: `Design ${++count}`, zips: AREA });
    const before = await meterOf(tenant, { monthlyUnits: 1000 });
    const [solve, edit] = await Promise.all([
      call(`/${id}/solve`, { version: 1, task: 'divide', count: 3 }),
      call(`/${id}`, { version: 1, territories: [{ number: 9, name: 'Mine' }] }),
    ]);
    expect(edit['status']).toBe(200);
    expect(solve).toMatchObject({ status: 409 });
    expect(await meterOf(tenant, { monthlyUnits: 1000 })).toEqual(before);
    expect(await call(`/${id}`)).toMatchObject({ territories: [{ number: 9, name: 'Mine' }] });
  });

  it('needs the figures of the market', async () => {
    const { key: small, caller: trial } = await newKey(db);
    await changeSubscription(trial.tenant, { monthlyZips: 3 });
    const { id } = await call('', { name: 'Mine', zips: AREA }, small);
    const answer = await call(`/${id}/solve`, { version: 1, task: 'divide', count: 2 }, small);
    expect(answer).toMatchObject({ status: 402, code: 'zip_limit_exceeded' });
  });
});

describe('the drives of a solve', () => {
  /** Computes slow drives. The first can be made to fail. */
  function slowDrives(fail = false) {
    const seen = { started: 0, most: 0 };
    let running = 0;
    const driveTimes: DriveTimes = {
      async zipsWithin() {
        const isFirst = ++seen.started === 1;
        seen.most = Math.max(seen.most, ++running);
        await delay(isFirst ? 10 : 40);
        running--;
        if (fail && isFirst) throw new Error('No drive');
        return [];
      },
    };
    return { driveTimes, seen };
  }
  const reach = { minutes: 20 };

  it('are limited among all solves', async () => {
    const { driveTimes, seen } = slowDrives();
    const timeMs = 60_000;
    const [one] = await Promise.all(
      [1, 2, 3].map(() => loadReach(db, reach, AREA.slice(0, 5), { driveTimes, timeMs })),
    );
    expect(one).toEqual({ minutes: 20, zips: AREA.slice(0, 5).map((home) => new Set([home])) });
    expect(seen).toEqual({ started: 15, most: 4 });
  });

  it('stop after a failure, a disconnect, or the time limit', async () => {
    const failing = slowDrives(true);
    const load = (options: Parameters<typeof loadReach>[3]) => loadReach(db, reach, AREA, options);
    const { driveTimes } = failing;
    await expect(load({ driveTimes, timeMs: 60_000 })).rejects.toThrow('No drive');
    const canceled = slowDrives();
    const controller = new AbortController();
    const asked = load({ driveTimes: canceled.driveTimes, timeMs: 6e4, signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toThrow('aborted');
    const late = slowDrives();
    await expect(load({ driveTimes: late.driveTimes, timeMs: 1 })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('used up the time limit'),
    });
    // Remaining drives would start now.
    await delay(300);
    for (const { seen } of [failing, canceled, late]) expect(seen.started).toBeLessThan(9);
  });
});
