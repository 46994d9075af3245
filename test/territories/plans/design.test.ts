import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { mintKey } from '../../../src/people/account/keys.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { USUAL_EFFORT } from '../../../src/territories/design/effort.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { unitsUsed } from '../../people/metering/units-used.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const { key, caller } = await newKey(db);
const AREA = (
  await db.query<{ zip: string }>(
    `select zip from zips order by centroid <-> (select centroid from zips where zip = '75201') limit 40`,
  )
)
  .map(({ zip }) => zip)
  .sort();

type Line = Record<string, any>;

const post = (body: object, options: RequestInit = {}) =>
  fetch(`${app.api}/agent/design`, {
    method: 'POST',
    headers: { ...bearer(key), ...newClient(), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...options,
  });

async function streamDesign(body: object): Promise<Line[]> {
  // Enough time for 40 ZIP codes
  const response = await post({ seconds: 2, ...body });
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toContain('application/x-ndjson');
  return (await response.text())
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Line);
}

async function refusal(body: object) {
  const response = await post(body);
  return { status: response.status, ...((await response.json()) as { error: string }) };
}

describe('a design without a plan', () => {
  // This test is first because a canceled design may still read city names after its test ended.
  it('continues after a query for a proposal failed', async () => {
    const usual = USUAL_EFFORT.least;
    USUAL_EFFORT.least = 1000;
    onTestFinished(() => void (USUAL_EFFORT.least = usual));
    const { query } = db;
    let failures = 0;
    const failing = vi.spyOn(db, 'query').mockImplementation((sql, ...rest) => {
      const namesCities = sql.includes('select distinct on (i) i, city');
      if (!namesCities || failures > 0) return query(sql, ...rest) as never;
      failures++;
      return Promise.reject(new Error('The database is gone.'));
    });
    onTestFinished(() => failing.mockRestore());
    const task = { zips: AREA, task: 'divide', count: 3, proposeAfter: 1, seconds: 4 };
    const lines = await streamDesign(task);
    expect(failures).toBe(1);
    expect(lines.at(-1)).toMatchObject({ kind: 'result', ended: 'deadline' });
  });

  it('streams progress, then a proposal, and saves nothing', async () => {
    const before = await unitsUsed(caller.tenant);
    const lines = await streamDesign({ zips: AREA, task: 'divide', count: 4 });
    expect(lines[0]).toEqual({ kind: 'started', zips: 40 });
    const shares = lines.filter(({ kind }) => kind === 'progress').map(({ done }) => done);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    const result = lines.at(-1)!;
    expect(result).toMatchObject({ kind: 'result', violations: [] });
    const zips = result['territories'].flatMap((one: Line) => one['zips']);
    expect(zips.sort()).toEqual(AREA);
    expect(new Set(result['territories'].map((one: Line) => one['name'])).size).toBe(4);
    expect(await unitsUsed(caller.tenant)).toBe(before + 10);
    const plans = await fetch(`${app.api}/agent/plans`, {
      headers: { ...bearer(key), ...newClient() },
    });
    expect(await plans.json()).toMatchObject({ plans: [] });
  });

  it('changes the territories of the request, and gives names only to new ones', async () => {
    const [first] = await streamDesign({ zips: AREA, task: 'divide', count: 3, seed: 7 }).then(
      (lines) => lines.at(-1)!['territories'] as { name: string; zips: string[] }[],
    );
    const rest = AREA.filter((zip) => !first!.zips.includes(zip));
    const territories = [
      { number: 2, name: first!.name, zips: first!.zips },
      { number: 5, zips: rest },
    ];
    const lines = await streamDesign({
      zips: AREA,
      territories,
      task: 'divide',
      count: 2,
      keep: [2],
    });
    const proposed = lines.at(-1)!['territories'] as Line[];
    const kept = proposed.find(({ number }) => number === 2)!;
    expect(kept).toEqual({ number: 2, name: null, zips: first!.zips });
    const others = proposed.filter((one) => one !== kept);
    expect(others.flatMap((one) => one['zips']).sort()).toEqual(rest);
    for (const { name } of others) {
      expect(name).toEqual(expect.any(String));
      expect(name).not.toBe(first!.name);
    }
  });

  it('rebalances only the territories that aren’t kept', async () => {
    const divided = (await streamDesign({ zips: AREA, task: 'divide', count: 3, seed: 7 })).at(-1)!;
    const [a, b, c] = (divided['territories'] as Line[]).map((one) => one['zips'] as string[]);
    const territories = [
      { number: 1, zips: [...a!, ...b!.slice(0, 3)] },
      { number: 2, zips: b!.slice(3) },
      { number: 3, zips: c },
    ];
    const lines = await streamDesign({ zips: AREA, territories, task: 'rebalance', keep: [3] });
    const [one, two, three] = lines.at(-1)!['territories'] as Line[];
    expect(three!['zips']).toEqual(c);
    expect([...one!['zips'], ...two!['zips']].sort()).toEqual([...a!, ...b!].sort());
    expect(two!['zips'].length).toBeGreaterThan(b!.length - 3);
  });

  it('costs nothing when it is canceled, and stops the solver', async () => {
    const before = await unitsUsed(caller.tenant);
    const controller = new AbortController();
    const task = { metro: 'dallas-tx', task: 'divide', count: 20, seconds: 60 };
    const response = await post(task, { signal: controller.signal });
    const reader = response.body!.getReader();
    await reader.read();
    controller.abort();
    await expect(reader.read()).rejects.toThrow('aborted');
    for (let i = 0; i < 100 && (await unitsUsed(caller.tenant)) > before; i++) await delay(50);
    expect(await unitsUsed(caller.tenant)).toBe(before);
    // One design runs at a time on two cores, so a small one ends soon only if the other has ended.
    const start = performance.now();
    await streamDesign({ zips: AREA, task: 'divide', count: 2 });
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it('returns the best result so far, and charges for it once', async () => {
    const before = await unitsUsed(caller.tenant);
    const usual = USUAL_EFFORT.least;
    // Enough work for minutes
    USUAL_EFFORT.least = 1000;
    onTestFinished(() => void (USUAL_EFFORT.least = usual));
    const task = { zips: AREA, task: 'divide', count: 4, proposeAfter: 1 };
    const lines = await streamDesign({ ...task, seconds: 4 });
    const proposals = lines.filter(({ kind }) => kind === 'proposal');
    expect(proposals.length).toBeGreaterThan(0);
    for (const { territories, ended } of proposals) {
      expect(territories.flatMap((one: Line) => one['zips']).sort()).toEqual(AREA);
      expect(ended).toBe('canceled');
    }
    expect(lines.at(-1)).toMatchObject({ kind: 'result', ended: 'deadline' });
    expect(await unitsUsed(caller.tenant)).toBe(before + 10);

    const controller = new AbortController();
    const response = await post({ ...task, seconds: 60 }, { signal: controller.signal });
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes('"kind":"proposal"')) break;
    }
    controller.abort();
    expect(await unitsUsed(caller.tenant)).toBe(before + 20);
  });

  it('explains in the last line why the solver refuses it, and costs nothing', async () => {
    const before = await unitsUsed(caller.tenant);
    const seeds = [AREA[0], AREA[0]];
    const lines = await streamDesign({ zips: AREA, task: 'divide', count: 2, seeds });
    expect(lines.at(-1)).toMatchObject({
      kind: 'error',
      status: 400,
      error: 'Two territories have the same seed. Give each its own.',
    });
    expect(await unitsUsed(caller.tenant)).toBe(before);
  });

  it.each([
    [{ task: 'fill' }, 'Give exactly one of metro, state, zips, and plan.'],
    [{ zips: AREA, plan: 'x', task: 'fill' }, 'Give exactly one of metro'],
    [{ zips: AREA, task: 'fill' }, 'Divide its market first'],
    [
      { zips: AREA, task: 'fill', territories: [{ number: 1, zips: ['90210'] }] },
      "these ZIP codes aren't in the market: 90210",
    ],
    [
      {
        zips: AREA,
        task: 'fill',
        territories: [1, 2].map((number) => ({ number, zips: [AREA[3]] })),
      },
      `${AREA[3]} is in territory 1 and in territory 2`,
    ],
    [
      { zips: AREA, task: 'rebalance', keep: [1], territories: [{ number: 1, zips: AREA }] },
      'Leave at least two of them out',
    ],
  ])('refuses a contradictory request: %#', async (body, message) => {
    const before = await unitsUsed(caller.tenant);
    expect(await refusal(body)).toMatchObject({
      status: 400,
      error: expect.stringContaining(message),
    });
    expect(await unitsUsed(caller.tenant)).toBe(before);
  });

  it('requires access to all brands', async () => {
    const brand = await createBrand(caller.tenant, { name: 'Only' });
    const some = await mintKey(caller.tenant, {
      name: 'one brand',
      brands: [brand.id],
      mayWrite: true,
    });
    const body = { zips: AREA, task: 'divide', count: 2 };
    const response = await post(body, {
      headers: { ...bearer(some.key), ...newClient(), 'Content-Type': 'application/json' },
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'brand_out_of_scope' });
  });

  it('needs the figures of the market before it starts', async () => {
    const { key: small, caller: trial } = await newKey(db);
    await changeSubscription(trial.tenant, { monthlyZips: 3 });
    const response = await post(
      { zips: AREA, task: 'divide', count: 2 },
      { headers: { ...bearer(small), ...newClient(), 'Content-Type': 'application/json' } },
    );
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ code: 'zip_limit_exceeded' });
  });
});
