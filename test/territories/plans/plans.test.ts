import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mintKey } from '../../../src/people/account/keys.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { exampleOf } from '../../../src/base/contract/resources.ts';
import { PlanEditRequest } from '../../../src/doors/http/plans/schema.ts';
import { meterOf } from '../../../src/people/metering/meter.ts';
import { movedZips, pairTerritories } from '../../../src/territories/plans/compare.ts';
import { editedTerritories } from '../../../src/territories/plans/edit.ts';
import { heldZipStatuses } from '../../../src/territories/brands/brand-zips.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { approveChange } from '../../../src/territories/brands/changes/decide.ts';
import { undoChange } from '../../../src/territories/brands/changes/undo.ts';
import { testDatabase } from '../../support/database.ts';
import { fields, NASTY, nearExample, type JsonSchema } from '../../support/json-inputs.ts';
import { newKey, serveKeyed } from '../../support/keyed-app.ts';
import { hold } from '../brands/holding.ts';
import { DALLAS, reviewer } from '../brands/organization.ts';
import { callPlans, zipsOf } from './calls.ts';
import { unitsUsed } from '../../people/metering/units-used.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const { key, caller } = await newKey(db);
const { tenant } = caller;
const north = await createBrand(tenant, { name: 'North Roofing' });
const south = await createBrand(tenant, { name: 'South Roofing' });
await hold(tenant, north, ['75201', '75202', '75203']);
await hold(tenant, south, ['75203', '75207']);

const call = callPlans(app, key);

let count = 0;
const create = (more: object = {}) => call('', { name: `Plan ${++count}`, zips: DALLAS, ...more });

describe('a new plan', () => {
  it('is empty, or contains the brands’ ZIP codes, each once', async () => {
    const empty = await create();
    expect(empty).toMatchObject({ status: 200, territories: [], unassigned: DALLAS, version: 1 });
    const live = await create({ start: 'live' });
    expect(live).toMatchObject({
      market: '8 ZIP codes',
      territories: [
        { number: 1, name: 'North Roofing', brand: 'north-roofing', pieces: 2 },
        { number: 2, name: 'South Roofing', brand: 'south-roofing' },
      ],
      unassigned: ['75204', '75205', '75206', '75208'],
      withheld: null,
    });
    expect(zipsOf(live)).toEqual([['75201', '75202', '75203'], ['75207']]);
    const [{ totals, deviationPct }, other] = live['territories'];
    expect(totals.households).toBeGreaterThan(other.totals.households);
    expect(deviationPct).toBeCloseTo(-other.deviationPct, 0);
  });

  it('numbers the brands as the map of live territories does, so that they keep their colors', async () => {
    const { key: own, caller: owner } = await newKey(db);
    await createBrand(owner.tenant, { name: 'Elsewhere' });
    await hold(owner.tenant, await createBrand(owner.tenant, { name: 'Here' }), ['75201']);
    const live = await callPlans(app, own)('', { name: 'Now', zips: DALLAS, start: 'live' });
    expect(live['territories']).toMatchObject([{ number: 2, name: 'Here' }]);
  });

  it('has the market of a metro or a state, or is a copy of another plan', async () => {
    const dallas = await create({ zips: undefined, metro: 'dallas-tx', balance: 'opportunity' });
    expect(dallas).toMatchObject({
      market: 'Dallas-Fort Worth-Arlington, TX',
      zipCount: 273,
      balance: 'opportunity',
    });
    expect(await create({ zips: undefined, state: 'Rhode Island' })).toMatchObject({
      market: 'Rhode Island',
    });
    const original = await create({ start: 'live' });
    const copy = await call('', { name: 'Copy', copyOf: original['id'], vertical: 'hvac' });
    expect(copy).toMatchObject({ name: 'Copy', vertical: 'hvac', version: 1 });
    expect(zipsOf(copy)).toEqual(zipsOf(original));
    const second = await call('', { name: 'Second', copyOf: dallas['id'] });
    expect(second).toMatchObject({ balance: 'opportunity', zipCount: 273 });
    expect(await call('', { name: 'Other', copyOf: 'copy', metro: 'dallas-tx' })).toMatchObject({
      status: 400,
    });
  });

  it('needs a free name, known ZIP codes, and access to all brands', async () => {
    const { name } = await create();
    expect(await call('', { name: name.toUpperCase(), zips: DALLAS })).toMatchObject({
      status: 409,
      error: expect.stringContaining('Choose another name'),
    });
    expect(await create({ zips: ['75201', '00000'] })).toMatchObject({
      status: 400,
      error: expect.stringContaining('00000'),
    });
    expect(await create({ colors: 'red' })).toMatchObject({ status: 400 });
    const { key: stranger } = await newKey(db);
    expect(await call(`/${name}`, undefined, stranger)).toMatchObject({ status: 404 });
    const scoped = { name: 'North only', brands: [north.id], mayWrite: true };
    const { key: partial } = await mintKey(tenant, scoped);
    expect(await call(`/${name}`, undefined, partial)).toMatchObject({
      status: 403,
      code: 'brand_out_of_scope',
    });
  });
});

describe('an edit', () => {
  it('adds, renames, moves, and deletes in one step', async () => {
    const { id } = await create();
    const added = await call(`/${id}`, {
      version: 1,
      name: `Edited ${count}`,
      territories: [
        { number: 1, name: 'West', brand: 'North Roofing' },
        { number: 7, name: 'East' },
      ],
      moves: [
        { zips: ['75201', '75202', '75203'], to: 1 },
        { zips: ['75203'], to: 7 },
        { zips: ['75202'], to: null },
      ],
    });
    expect(added).toMatchObject({ status: 200, version: 2, name: `Edited ${count}` });
    expect(zipsOf(added)).toEqual([['75201'], ['75203']]);
    const after = await call(`/${id}`, {
      version: 2,
      deletions: [1],
      territories: [{ number: 7, name: 'All' }],
    });
    expect(after).toMatchObject({ version: 3, territories: [{ number: 7, name: 'All' }] });
    expect(after['unassigned']).toContain('75201');
    expect(await call(`/${id}`)).toEqual(after);
  });

  it.each([
    [{ moves: [{ zips: ['75201'], to: 9 }] }, 'no territory 9'],
    [
      { moves: [{ zips: ['90210'], to: null }] },
      "These ZIP codes aren't in the plan's market: 90210",
    ],
    [{ deletions: [4] }, 'no territory 4'],
    [
      { territories: [1, 2].map((number) => ({ number, brand: 'north-roofing' })) },
      'North Roofing has two: "Territory 1" (1) and "Territory 2" (2)',
    ],
    [{ territories: [{ number: 1, brand: 'unknown' }] }, 'no brand "unknown"'],
  ])('changes nothing if a part of it is impossible: %o', async (edit, message) => {
    const { id } = await create();
    const answer = await call(`/${id}`, { version: 1, name: 'Never', ...edit });
    expect(answer['error']).toContain(message);
    expect(await call(`/${id}`)).toMatchObject({ version: 1, territories: [] });
  });

  it('of an older version is refused and names who changed the plan', async () => {
    const { id } = await create();
    const edits = await Promise.all(
      ['West', 'East', 'South'].map((name) =>
        call(`/${id}`, { version: 1, territories: [{ number: 1, name }] }),
      ),
    );
    expect(edits.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(edits.find(({ status }) => status === 409)!['error']).toMatch(
      /changed "Plan \d+": it is at version 2, and this edit is for version 1/,
    );
    const winner = edits.find(({ status }) => status === 200)!;
    expect(await call(`/${id}`)).toEqual(winner);
  });

  it('with any body gets a documented response', async () => {
    const { id } = await create({ start: 'live' });
    const edits = fc.oneof(
      fields(z.toJSONSchema(PlanEditRequest, { io: 'input' }) as JsonSchema),
      nearExample(
        exampleOf(PlanEditRequest) as object,
        z.toJSONSchema(PlanEditRequest, { io: 'input' }) as JsonSchema,
      ),
      NASTY,
    );
    // The app checks each answer against its declaration.
    await fc.assert(
      fc.asyncProperty(edits, async (edit) => {
        const { status } = await call(`/${id}`, edit ?? null);
        expect([200, 400, 404, 409]).toContain(status);
      }),
    );
    expect(app.log()).not.toContain('request failed');
  });

  it('keeps each ZIP code of the market in one place after any moves', () => {
    const number = fc.constantFrom(1, 2, 3);
    const move = fc.record({
      zips: fc.uniqueArray(fc.constantFrom(...DALLAS), { minLength: 1 }),
      to: fc.option(number),
    });
    fc.assert(
      fc.property(fc.array(move), fc.uniqueArray(number), (moves, deletions) => {
        const start = [1, 2, 3].map((n) => ({ number: n, name: `${n}`, brand: null, zips: [] }));
        const moved = editedTerritories({ zips: DALLAS, territories: start }, { moves }, new Map());
        const owner = new Map(
          moves.flatMap(({ zips, to }) => zips.map((zip) => [zip, to] as const)),
        );
        for (const { number: own, zips } of moved) {
          expect(zips).toEqual(DALLAS.filter((zip) => owner.get(zip) === own));
        }
        const left = editedTerritories(
          { zips: DALLAS, territories: moved },
          { deletions },
          new Map(),
        );
        expect(left).toEqual(
          moved.filter((one) => !deletions.some((number) => number === one.number)),
        );
      }),
    );
  });
});

describe('a comparison', () => {
  it('lists the ZIP codes that change territories, compared with the brands or another plan', async () => {
    const { id } = await create({ start: 'live' });
    await call(`/${id}`, { version: 1, moves: [{ zips: ['75203', '75204'], to: 2 }] });
    const live = await call(`/${id}/comparison`);
    expect(live).toMatchObject({ before: 'live', after: `Plan ${count}`, withheld: null });
    expect(live['moved']).toEqual([
      { zip: '75203', from: ['North Roofing'], to: [] },
      { zip: '75204', from: [], to: ['South Roofing'] },
    ]);
    const [first] = live['territories'];
    expect(first).toMatchObject({ before: 'North Roofing', lost: ['75203'], gained: [] });
    expect(first.totalsAfter.households).toBeLessThan(first.totalsBefore.households);
    const empty = await create();
    const withEmpty = await call(`/${empty['id']}/comparison?with=${id}`);
    expect(withEmpty['territories'].map(({ after }: { after: unknown }) => after)).toEqual([
      null,
      null,
    ]);
    expect(await call(`/${id}/comparison?with=unknown`)).toMatchObject({ status: 404 });
  });

  it('pairs territories with other names by their common ZIP codes', () => {
    const territory = (name: string, ...zips: string[]) => ({ name, brand: null, zips });
    const pairs = pairTerritories(
      [territory('A', '75201', '75202'), territory('B', '75203', '75204', '75205')],
      [territory('X', '75202', '75203', '75204'), territory('Y', '75201'), territory('Z', '75206')],
    );
    expect(pairs.map(({ before, after }) => [before?.name, after?.name])).toEqual([
      ['B', 'X'],
      ['A', 'Y'],
      [undefined, 'Z'],
    ]);
    expect(movedZips(pairs)).toEqual([
      { zip: '75202', from: ['A'], to: ['X'] },
      { zip: '75205', from: ['B'], to: [] },
      { zip: '75206', from: [], to: ['Z'] },
    ]);
  });
});

describe('applying a plan', () => {
  it('previews, then changes all brands as one, which is undone as one', async () => {
    const { id } = await create({ start: 'live' });
    const edit = { version: 1, moves: [{ zips: ['75203', '75204'], to: 2 }] };
    await call(`/${id}`, edit);
    const before = await unitsUsed(tenant);
    const preview = await call(`/${id}/apply`, { version: 2 });
    expect(preview).toMatchObject({
      status: 'preview',
      changes: [
        { brand: 'north-roofing', additions: [], removals: ['75203'], kept: 2 },
        { brand: 'south-roofing', additions: ['75204'], removals: [], kept: 2 },
      ],
    });
    expect(await unitsUsed(tenant)).toBe(before);
    expect(await call(`/${id}/apply`, { version: 1, confirm: true })).toMatchObject({
      error: expect.stringContaining('version 2'),
    });
    const applied = await call(`/${id}/apply`, { version: 2, confirm: true });
    expect(applied['status']).toBe('applied');
    expect(await unitsUsed(tenant)).toBe(before + 1);
    // Nothing leaves a brand before the change is approved.
    expect([...(await heldZipStatuses(tenant, north)).keys()]).toEqual(['75201', '75202', '75203']);
    expect((await heldZipStatuses(tenant, south)).get('75204')).toBe('pending');
    const [{ removalId }, { batchId }] = applied['changes'];
    expect(removalId).toBeNull();
    expect(batchId).not.toBeNull();
    const { id: changeId, status } = applied['change'];
    expect(status).toBe('waiting');
    await tenant.transaction((tx) => approveChange(tx, reviewer, changeId));
    expect([...(await heldZipStatuses(tenant, north)).keys()]).toEqual(['75201', '75202']);
    expect((await heldZipStatuses(tenant, south)).get('75204')).toBe('live');
    await tenant.transaction((tx) => undoChange(tx, reviewer, changeId));
    expect((await heldZipStatuses(tenant, south)).has('75204')).toBe(false);
    expect([...(await heldZipStatuses(tenant, north)).keys()]).toEqual(['75201', '75202', '75203']);
  });

  it('says what stays out, and what each brand has until the review', async () => {
    const { key: own, caller: owner } = await newKey(db);
    const plans = callPlans(app, own);
    const [east, west, far] = await Promise.all(
      ['East', 'West', 'Far'].map((name) => createBrand(owner.tenant, { name })),
    );
    await hold(owner.tenant, east!, ['75201', '75202']);
    await hold(owner.tenant, west!, ['75203']);
    await hold(owner.tenant, far!, ['75204']);
    const { id } = await plans('', { name: 'Split', zips: DALLAS, start: 'empty' });
    await plans(`/${id}`, {
      version: 1,
      territories: [
        { number: 1, brand: 'east' },
        { number: 2, brand: 'west' },
        { number: 3, name: 'Later' },
        { number: 4, name: 'Empty' },
      ],
      moves: [
        { zips: ['75201'], to: 1 },
        { zips: ['75202', '75203'], to: 2 },
        { zips: ['75205', '75206'], to: 3 },
      ],
    });
    const preview = await plans(`/${id}/apply`, { version: 2 });
    const { changes, ...rest } = preview;
    expect(changes).toMatchObject([
      { brand: 'east', additions: [], removals: ['75202'], kept: 1, liveMeanwhile: 2 },
      { brand: 'west', additions: ['75202'], removals: [], kept: 1, liveMeanwhile: 1 },
    ]);
    const stays = {
      withoutBrand: [{ number: 3, name: 'Later', zips: ['75205', '75206'] }],
      untouched: [{ brand: 'far', brandName: 'Far', zipCount: 1 }],
      openMeanwhile: [],
      inOtherChanges: [],
    };
    expect(rest).toMatchObject(stays);
    expect(await plans(`/${id}/apply`, { version: 2, confirm: true })).toMatchObject(stays);
    // What waits for a review isn't live yet, and another change leaves it alone.
    const again = await plans(`/${id}/apply`, { version: 2 });
    expect(again).toMatchObject({
      changes: [
        { additions: [], removals: [], liveMeanwhile: 2 },
        { additions: [], kept: 2, liveMeanwhile: 1 },
      ],
      inOtherChanges: ['75202'],
    });
  });

  it('needs a brand, and write access', async () => {
    const { id } = await create();
    await call(`/${id}`, { version: 1, territories: [{ number: 1 }] });
    expect((await call(`/${id}/apply`, { version: 2, confirm: true }))['error']).toContain(
      'No territory of this plan has a brand',
    );
    const { key: reader } = await newKey(db, { mayWrite: false });
    expect(await call('', { name: 'Mine', zips: DALLAS }, reader)).toMatchObject({ status: 403 });
  });
});

it('every operation is refused without an active subscription, with the current usage', async () => {
  const lapsed = await newKey(db);
  await changeSubscription(lapsed.caller.tenant, { status: 'past_due' });
  const usage = await meterOf(lapsed.caller.tenant, lapsed.caller.subscription);
  for (const path of ['', '/any', '/any/shares', '/any/zips.csv', '/any/map.png']) {
    const refused = await call(path, undefined, lapsed.key);
    expect(refused).toMatchObject({ status: 402, code: 'subscription_required', usage });
  }
});

describe('figures of a plan', () => {
  it('are withheld with a reason once the organization’s limit is reached', async () => {
    const { key: small, caller: trial } = await newKey(db);
    await changeSubscription(trial.tenant, { monthlyZips: 3 });
    await createBrand(trial.tenant, { name: 'One' });
    const { id } = await call('', { name: 'Mine', zips: DALLAS }, small);
    const edit = { version: 1, territories: [{ number: 1 }], moves: [{ zips: DALLAS, to: 1 }] };
    const plan = await call(`/${id}`, edit, small);
    expect(plan).toMatchObject({
      withheld: expect.stringContaining('figures of 3 ZIP codes'),
      territories: [{ totals: null, deviationPct: null, zips: DALLAS, pieces: 1 }],
    });
  });
});

describe('deleting a plan', () => {
  it('removes it for everyone', async () => {
    const { id, name } = await create({ start: 'live' });
    expect(await call(`/${id}/delete`, {})).toMatchObject({ deleted: name });
    expect(await call(`/${id}`)).toMatchObject({ status: 404 });
  });
});
