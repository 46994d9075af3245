/** The REST operations on changes. */
import { expect, it } from 'vitest';
import { mintKey } from '../../../src/people/account/keys.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { approveChange } from '../../../src/territories/brands/changes/decide.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { nextYear, statesOf } from '../../territories/brands/changes/setting.ts';
import { hold } from '../../territories/brands/holding.ts';
import { DALLAS, reviewer } from '../../territories/brands/organization.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const [A, B, C] = DALLAS as [string, string, string];

type Answer = Record<string, any>;

/** @param path after the one of changes, or the one of transfers */
async function ask(path: string, key: string, body?: object): Promise<Answer> {
  const whole = path === '/agent/transfers' ? path : `/agent/changes${path}`;
  const response = await fetch(app.api + whole, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...bearer(key), ...newClient(), 'Content-Type': 'application/json' },
  });
  return { http: response.status, ...((await response.json()) as object) };
}

async function setting() {
  const { key, caller } = await newKey(db);
  const { tenant } = caller;
  const north = await createBrand(tenant, { name: 'North' });
  const south = await createBrand(tenant, { name: 'South' });
  await hold(tenant, north, [A, B]);
  return { key, tenant, north, south };
}

const transfer = { from: 'north', to: 'South', zips: [A], note: 'Sold' };

it('previews a transfer by default, makes it as one change, and undoes it by request of a key', async () => {
  const { key, tenant, north, south } = await setting();
  const preview = await ask('/agent/transfers', key, transfer);
  expect(preview).toMatchObject({
    http: 200,
    status: 'preview',
    change: null,
    needsReview: true,
    brands: [
      { brand: 'north', removed: [A], liveBefore: 2, liveAfter: 1 },
      { brand: 'south', added: [A], liveBefore: 0, liveAfter: 1, shared: [] },
    ],
  });
  expect((await ask('', key))['changes']).toEqual([]);

  const made = await ask('/agent/transfers', key, { ...transfer, confirm: true });
  expect(made).toMatchObject({ status: 'made', change: { status: 'waiting', source: 'transfer' } });
  const { id } = made['change'];
  expect(await ask('?status=waiting', key)).toMatchObject({
    changes: [
      {
        id,
        note: 'Sold',
        brands: [
          { brand: 'north', addedCount: 0, removedCount: 1 },
          { brand: 'south', addedCount: 1, removedCount: 0 },
        ],
      },
    ],
    nextCursor: null,
  });
  expect((await ask('?status=live', key))['changes']).toEqual([]);
  expect((await ask('?brand=south', key))['changes']).toHaveLength(1);

  await tenant.transaction((tx) => approveChange(tx, reviewer, id));
  expect(await ask(`/${id}`, key)).toMatchObject({ status: 'live', decidedBy: 'Rita' });
  expect(await ask(`/${id}/undo`, key, {})).toMatchObject({
    status: 'preview',
    brands: [
      { brand: 'north', restored: [A], removed: [] },
      { brand: 'south', restored: [], removed: [A] },
    ],
  });
  const asked = await ask(`/${id}/undo`, key, { confirm: true, note: 'By mistake' });
  expect(asked).toMatchObject({
    status: 'requested',
    change: { status: 'waiting', source: 'undo', undoes: id, note: 'By mistake' },
  });
  expect(await statesOf(tenant, south)).toEqual({ [A]: 'live' });
  await tenant.transaction((tx) => approveChange(tx, reviewer, asked['change'].id));
  expect(await statesOf(tenant, north)).toEqual({ [A]: 'live', [B]: 'live' });
  expect(await statesOf(tenant, south)).toEqual({ [A]: 'removed' });
});

it('plans a change for a day, moves it, withdraws it, and says what keeps it from going live', async () => {
  const { key, tenant, north } = await setting();
  const on = (await nextYear(tenant)).day;
  const body = {
    changes: [
      { brand: 'north', remove: [A, C] },
      { brand: 'south', add: [A, '00000'] },
    ],
    on,
    confirm: true,
  };
  const made = await ask('', key, body);
  expect(made).toMatchObject({ status: 'made', on, change: { status: 'waiting', on } });
  expect(made['brands'][0].refused).toEqual([{ reason: 'not held by the brand', zips: [C] }]);
  expect(made['brands'][1].refused[0].zips).toEqual(['00000']);
  const { id } = made['change'];
  const later = (await nextYear(tenant, 5)).day;
  expect(await ask(`/${id}/move`, key, { on: later })).toMatchObject({ http: 200, on: later });
  expect(await ask(`/${id}/move`, key, { on: '2020-01-01' })).toMatchObject({
    http: 400,
    error: expect.stringContaining('has begun or has passed'),
  });
  await tenant.transaction((tx) => approveChange(tx, reviewer, id));
  expect(await ask(`/${id}`, key)).toMatchObject({ status: 'scheduled', obstacles: [] });
  expect(await ask(`/${id}/move`, key, { on })).toMatchObject({
    http: 403,
    error: expect.stringContaining('needs a reviewer'),
  });
  expect(await ask(`/${id}/undo`, key, {})).toMatchObject({
    http: 409,
    error: expect.stringContaining('Withdraw it instead'),
  });
  expect(await ask(`/${id}/withdraw`, key, {})).toMatchObject({ status: 'withdrawn' });
  expect(await ask(`/${id}/withdraw`, key, {})).toMatchObject({ http: 409 });
  expect(await statesOf(tenant, north)).toEqual({ [A]: 'live', [B]: 'live' });
});

it('refuses what it can’t read, other organizations, and callers without the brands', async () => {
  const { key, tenant, south } = await setting();
  const { change } = await ask('/agent/transfers', key, { ...transfer, confirm: true });
  const stranger = await newKey(db);
  expect(await ask(`/${change.id}`, stranger.key)).toMatchObject({ http: 404 });
  const limited = await mintKey(tenant, { name: 'South', brands: [south.id], mayWrite: true });
  expect(await ask(`/${change.id}`, limited.key)).toMatchObject({
    otherBrands: 1,
    brands: [{ brand: 'south', added: [A] }],
  });
  expect(await ask(`/${change.id}/withdraw`, limited.key, {})).toMatchObject({ http: 403 });
  expect(await ask('/agent/transfers', limited.key, transfer)).toMatchObject({ http: 404 });
  const reader = await mintKey(tenant, { name: 'Reader', brands: 'all', mayWrite: false });
  expect(await ask('/agent/transfers', reader.key, transfer)).toMatchObject({ http: 403 });
  for (const [changes, problem] of [
    [[{ brand: 'north', add: [C], remove: [C] }], 'both to be added and removed'],
    [[{ brand: 'north', add: [C] }, { brand: 'North' }], 'named twice'],
    [[{ brand: 'north' }], 'The change is empty'],
  ] as const) {
    expect(await ask('', key, { changes })).toMatchObject({
      http: 400,
      error: expect.stringContaining(problem),
    });
  }
});
