import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { changeSubscription, TRIAL } from '../../../../src/people/account/subscription.ts';
import { tenantOf, type TenantDatabase } from '../../../../src/people/account/tenant.ts';
import { recordSeenZips } from '../../../../src/people/metering/figures.ts';
import { driveTimesFrom } from '../../../../src/data/routing/drive-times.ts';
import {
  type LiveChange,
  type LivePreviewAnswer,
  type LiveSavedAnswer,
} from '../../../../src/doors/site/workspace/browser/saving/live-change.ts';
import { heldZipStatuses } from '../../../../src/territories/brands/brand-zips.ts';
import { createBrand, type Brand } from '../../../../src/territories/brands/brands.ts';
import { approveChange } from '../../../../src/territories/brands/changes/decide.ts';
import { runDueChanges } from '../../../../src/territories/brands/changes/due.ts';
import { createGroup } from '../../../../src/territories/brands/groups/groups.ts';
import { listReviews } from '../../../../src/territories/brands/review-list.ts';
import { testDatabase } from '../../../support/database.ts';
import { serveKeyed } from '../../../support/keyed-app.ts';
import { startRouter } from '../../../support/servers/router.ts';
import { Visitor } from '../../../support/visitor.ts';
import { hold } from '../../../territories/brands/holding.ts';
import { dayComes, nextYear } from '../../../territories/brands/changes/setting.ts';
import { agent, DALLAS, reviewer } from '../../../territories/brands/organization.ts';

const { db } = await testDatabase('sample');
const router = await startRouter();
const driveTimes = driveTimesFrom({ url: router.url, engine: 'valhalla', timeoutMs: 5_000 });
const app = await serveKeyed(db, { driveTimes });
const SITE = `http://127.0.0.1:${app.port}`;

interface Setting {
  pat: Visitor;
  tenant: TenantDatabase;
  /** Holds 75201 to 75203 */
  north: Brand;
  /** Holds 75207 */
  south: Brand;
}

async function twoBrands(): Promise<Setting> {
  const pat = await new Visitor(SITE).signUp();
  const [row] = await db.query<{ id: string }>(
    `select organization_id as id from memberships join people on people.id = person_id
     where email = $1`,
    [pat.email],
  );
  const tenant = tenantOf(db, row!.id);
  const north = await createBrand(tenant, { name: 'North Roofing' });
  const south = await createBrand(tenant, { name: 'South Roofing' });
  await hold(tenant, north, DALLAS.slice(0, 3));
  await hold(tenant, south, ['75207']);
  return { pat, tenant, north, south };
}

/** 75203 moves from north to south, and 75204 and 75205 are new. */
const CHANGES: LiveChange[] = [
  { brand: 'north-roofing', added: '75204 75205', removed: '75203' },
  { brand: 'south-roofing', added: '75203', removed: '' },
];

const post = async <T>(
  { pat }: Setting,
  path: string,
  fields: Record<string, string>,
): Promise<{ status: number; body: T & { error?: string } }> => {
  const { status, html } = await pat.post(`/account/map/changes${path}`, fields);
  return { status, body: JSON.parse(html) };
};

const preview = (setting: Setting, changes: unknown = CHANGES, more = {}) =>
  post<LivePreviewAnswer>(setting, '/preview.json', { changes: JSON.stringify(changes), ...more });

const save = (setting: Setting, fields: Record<string, string>, changes: unknown = CHANGES) =>
  post<LiveSavedAnswer>(setting, '.json', { changes: JSON.stringify(changes), ...fields });

const statesOf = async ({ tenant }: Setting, brand: Brand) =>
  Object.fromEntries(await heldZipStatuses(tenant, brand));

describe('the preview of live changes', () => {
  it('shows each brand’s effect and changes nothing', async () => {
    const setting = await twoBrands();
    const { status, body } = await preview(setting);
    expect(status).toBe(200);
    const [north, south] = body.previews;
    expect(north).toMatchObject({
      brand: 'north-roofing',
      name: 'North Roofing',
      done: [],
      unknown: [],
      requested: ['75204', '75205'],
      shared: [],
      removed: ['75203'],
      before: { zips: 3 },
      after: { zips: 4 },
    });
    expect(north!.after.households).toBeGreaterThan(0);
    expect(south).toMatchObject({
      requested: ['75203'],
      removed: [],
      shared: [],
      after: { zips: 2, shared: 0 },
    });
    // North gives it up when South gets it: after the review.
    expect(body).toMatchObject({ isOne: true, needsReview: true });
    expect(body).toMatchObject({ withheld: null, once: expect.stringMatching(/^[\w-]{36}$/) });
    expect(await statesOf(setting, setting.south)).toEqual({ 75207: 'live' });
  });

  it('names ZIP codes that another brand keeps', async () => {
    const changes = [{ brand: 'south-roofing', added: '75202 75203 75204', removed: '' }];
    const { body } = await preview(await twoBrands(), changes);
    expect(body.previews[0]).toMatchObject({ shared: ['75202', '75203'], after: { shared: 2 } });
  });

  it('leaves out changes that someone else has made in the meantime', async () => {
    const setting = await twoBrands();
    await hold(setting.tenant, setting.north, ['75204'], 'pending');
    const { body } = await preview(setting, [
      { brand: 'north-roofing', added: '75204 75205', removed: '75203 75208' },
    ]);
    expect(body.previews[0]).toMatchObject({
      requested: ['75205'],
      removed: ['75203'],
      done: ['75204', '75208'],
    });
  });

  it('names ZIP codes that can’t be requested', async () => {
    const changes = [{ brand: 'north-roofing', added: '75204 00000', removed: '' }];
    const { body } = await preview(await twoBrands(), changes);
    expect(body.previews[0]!.unknown).toEqual([{ reason: expect.any(String), zips: ['00000'] }]);
  });

  it('has no households for a trial without ZIP codes left', async () => {
    const setting = await twoBrands();
    await changeSubscription(setting.tenant, { status: 'trial' });
    const others = Array.from({ length: TRIAL.monthlyZips }, (_, i) => `${10_000 + i}`);
    const subscription = { monthlyZips: TRIAL.monthlyZips };
    await recordSeenZips({ tenant: setting.tenant, subscription }, others);
    const { body } = await preview(setting);
    expect(body.withheld).toContain('2,500 ZIP codes');
    expect(body.previews.map(({ after }) => [after.households, after.pieces])).toEqual([
      [null, expect.any(Number)],
      [null, expect.any(Number)],
    ]);
  });

  const change = { brand: 'north-roofing', added: '75204', removed: '' };
  it.each<[string, unknown, number]>([
    ['text that isn’t JSON', 'not JSON', 400],
    ['no changes', [], 400],
    ['a malformed ZIP code', [{ ...change, added: '7520' }], 400],
    ['two changes of a brand', [change, change], 400],
    [
      'two changes of a brand by slug and name',
      [change, { ...change, brand: 'North Roofing' }],
      400,
    ],
    ['101 brands', Array.from({ length: 101 }, (_, i) => ({ ...change, brand: `b${i}` })), 400],
    ['an unknown brand', [{ ...change, brand: 'no-such-brand' }], 404],
  ])('refuses %s', async (_, changes, status) => {
    const setting = await twoBrands();
    const text = typeof changes === 'string' ? changes : JSON.stringify(changes);
    const refused = await post(setting, '/preview.json', { changes: text });
    expect(refused.status).toBe(status);
    expect(refused.body.error).toMatch(/\w{4}.*\.$/);
  });
});

describe('live changes of brands in a group that blocks overlaps', () => {
  const changes = [
    { brand: 'north-roofing', added: '', removed: '75203' },
    { brand: 'south-roofing', added: '75202 75203', removed: '' },
  ];
  const reason = 'held by North Roofing, and the group "Franchisees" blocks overlaps';

  it('request what another one gives up, and nothing else that it holds', async () => {
    const setting = await twoBrands();
    const { tenant, north, south } = setting;
    await tenant.transaction((tx) =>
      createGroup(tx, agent, { name: 'Franchisees', rule: 'block', brands: [north.id, south.id] }),
    );
    const { body } = await preview(setting, changes);
    expect(body.previews[1]).toMatchObject({
      requested: ['75203'],
      unknown: [{ reason, zips: ['75202'] }],
    });
    const saved = await save(setting, { once: body.once, note: '' }, changes);
    expect(saved.body.saved[1]).toMatchObject({
      requested: 1,
      refused: [{ reason, zips: ['75202'] }],
    });
    expect(await statesOf(setting, south)).toEqual({ 75203: 'pending', 75207: 'live' });
  });

  it('leave with a brand what a rule refuses to its new one', async () => {
    const setting = await twoBrands();
    const { tenant, north, south } = setting;
    const east = await createBrand(tenant, { name: 'East Roofing' });
    await hold(tenant, east, ['75202', '75208']);
    await tenant.transaction((tx) =>
      createGroup(tx, agent, { name: 'Franchisees', rule: 'block', brands: [north.id, south.id] }),
    );
    const moved = [
      { brand: 'east-roofing', added: '', removed: '75202 75208' },
      { brand: 'south-roofing', added: '75202 75208', removed: '' },
    ];
    const { body } = await preview(setting, moved);
    expect(body.previews[0]).toMatchObject({
      removed: ['75208'],
      unknown: [{ reason: 'because a rule refuses it to its new brand', zips: ['75202'] }],
    });
    const saved = await save(setting, { once: body.once, note: '' }, moved);
    expect(saved.body.saved).toMatchObject([{ leaving: 1 }, { requested: 1 }]);
    await tenant.transaction((tx) => approveChange(tx, reviewer, saved.body.change!.id));
    expect(await statesOf(setting, east)).toEqual({ 75202: 'live' });
  });
});

describe('saving live changes', () => {
  it('sends all brands to review as one change, once, and removes nothing before', async () => {
    const setting = await twoBrands();
    const { once } = (await preview(setting)).body;
    const saved = await save(setting, { once, note: 'Lasso' });
    expect(saved.status).toBe(200);
    expect(saved.body.saved).toMatchObject([
      { brand: 'north-roofing', requested: 2, removed: 0, leaving: 1, removalId: null },
      { brand: 'south-roofing', requested: 1, removed: 0, leaving: 0, removalId: null },
    ]);
    expect(saved.body.change).toEqual({ id: expect.any(String), status: 'waiting', on: null });
    const live = { 75201: 'live', 75202: 'live', 75203: 'live' };
    const expected = { ...live, 75204: 'pending', 75205: 'pending' };
    expect(await statesOf(setting, setting.north)).toEqual(expected);
    expect(await statesOf(setting, setting.south)).toEqual({ 75203: 'pending', 75207: 'live' });
    const { rows } = await listReviews(setting.tenant, 'all', { status: 'pending' });
    expect(rows.map(({ zip, note }) => [zip, note])).toHaveLength(3);
    expect(rows.every(({ note }) => note === 'Lasso')).toBe(true);
    expect((await save(setting, { once, note: 'Lasso' })).body).toEqual(saved.body);
    expect((await listReviews(setting.tenant, 'all', { status: 'pending' })).rows).toHaveLength(3);
    expect((await save(setting, { once, note: 'Another' })).status).toBe(409);
  });

  it('that only remove ZIP codes of a brand do it at once, and can be undone, once', async () => {
    const setting = await twoBrands();
    const changes = [{ brand: 'north-roofing', added: '', removed: '75203' }];
    const { body } = await save(setting, { once: randomUUID() }, changes);
    expect(body.change).toBeNull();
    const removal = body.saved[0]!.removalId!;
    const undo = (brand: string) => post(setting, '/undo.json', { brand, removal });
    expect((await undo('south-roofing')).status).toBe(404);
    expect(await undo('north-roofing')).toEqual({
      status: 200,
      body: { restored: 1, heldAgain: 0, refused: [] },
    });
    expect(await statesOf(setting, setting.north)).toMatchObject({ 75203: 'live' });
    expect((await undo('north-roofing')).status).toBe(409);
  });

  it('of a day are planned for it, and those that are live are undone as one', async () => {
    const setting = await twoBrands();
    const on = (await nextYear(setting.tenant)).day;
    const planned = await save(setting, { once: randomUUID(), on });
    expect(planned.body.change).toMatchObject({ status: 'waiting', on });
    const change = planned.body.change!.id;
    await setting.tenant.transaction((tx) => approveChange(tx, reviewer, change));
    expect((await post(setting, '/undo.json', { change })).status).toBe(409);
    await dayComes(setting.tenant, change);
    await runDueChanges(db, setting.tenant.organizationId);
    expect(await statesOf(setting, setting.south)).toMatchObject({ 75203: 'live' });
    expect(await post(setting, '/undo.json', { change })).toMatchObject({
      status: 200,
      body: { restored: 1 },
    });
    expect(await statesOf(setting, setting.north)).toMatchObject({ 75203: 'live' });
    expect((await save(setting, { once: randomUUID(), on: '2020-01-01' })).status).toBe(400);
  });

  it('changes all brands or none', async () => {
    const setting = await twoBrands();
    const changes = [CHANGES[0], { brand: 'south-roofing', added: '00000', removed: '' }];
    const refused = await save(setting, { once: randomUUID() }, changes);
    expect(refused.status).toBe(404);
    expect(await statesOf(setting, setting.north)).toEqual({
      75201: 'live',
      75202: 'live',
      75203: 'live',
    });
  });

  it('needs write access, the preview’s key, and the same organization', async () => {
    const setting = await twoBrands();
    expect((await save(setting, {})).status).toBe(400);
    const once = randomUUID();
    expect((await save(setting, { once, 'for-organization': randomUUID() })).status).toBe(409);
    await changeSubscription(setting.tenant, { writeEntitlement: false });
    const refused = await save(setting, { once });
    expect(refused.status).toBe(403);
    expect(refused.body.error).toContain('no write entitlement');
    expect(await statesOf(setting, setting.south)).toEqual({ 75207: 'live' });
  });
});

describe('the reach of a drive', () => {
  it('has the ZIP codes for the page to select', async () => {
    const { pat } = await twoBrands();
    const query = new URLSearchParams({ around: '75201', reach: '20', unit: 'minutes' });
    const { status, html } = await pat.get(`/account/map/reach.json?${query}`);
    expect(status).toBe(200);
    const { zips, within } = JSON.parse(html);
    expect(within).toBe('within a 20-minute drive');
    expect(zips.split(' ')).toContain('75201');
    expect((await pat.get('/account/map/reach.json?around=75201&reach=0')).status).toBe(400);
  });
});
