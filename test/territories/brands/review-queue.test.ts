/** The review queue, selections in it, and the activity of decisions. */
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../support/database.ts';
import type { Actor } from '../../../src/people/account/caller.ts';
import type { TenantDatabase, TenantTransaction } from '../../../src/people/account/tenant.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { removeZips } from '../../../src/territories/brands/remove.ts';
import { countPendingReviews } from '../../../src/territories/brands/review-list.ts';
import { approveReviews, rejectReviews } from '../../../src/territories/brands/review.ts';
import {
  selectedReviews,
  queueParts,
  pendingRequests,
  type QueueFilter,
} from '../../../src/territories/brands/review-queue.ts';
import { setProfile } from '../../../src/territories/brands/targeting/profile.ts';
import {
  readActivityLog,
  listActivityActors,
} from '../../../src/territories/brands/activity-log.ts';
import { verticalScores } from '../../../src/territories/brands/targeting/vertical-scores.ts';
import { agent, DALLAS, organizationWith, reviewer, unlimitedViewer } from './organization.ts';

const { db } = await testDatabase('sample');

const ann: Actor = { kind: 'person', id: '00000000-0000-4000-8000-00000000000a', name: 'Ann' };
const PHOENIX = ['85003', '85004', '85006'];
const NO_CHOICE = { ids: [], picked: [], batchIds: [], all: false };

const apply = (tenant: TenantDatabase, actor: Actor, brand: Brand, zips: string[], note?: string) =>
  tenant.transaction((tx) => applyZips(tx, actor, brand, { zips, note }));
const decided = <T>(tenant: TenantDatabase, work: (tx: TenantTransaction) => Promise<T>) =>
  tenant.transaction(work);

/**
 * Ann requests four ZIP codes in Dallas for North, then an agent requests three in Phoenix for
 * South.
 */
async function setting() {
  const { tenant, brands } = await organizationWith(db, 'North', 'South');
  const [north, south] = brands;
  const dallas = await apply(tenant, ann, north, DALLAS.slice(0, 4), 'Crews live there');
  const phoenix = await apply(tenant, agent, south, PHOENIX);
  const waiting = (filter: QueueFilter = {}, scope: 'all' | Set<string> = 'all') =>
    pendingRequests(tenant, scope, filter);
  return { tenant, north, south, dallas, phoenix, waiting };
}

describe('the queue', () => {
  it('lists requests with requester, time, and note, oldest first', async () => {
    const { waiting, north, south, dallas, phoenix } = await setting();
    const { requests, total, nextCursor } = await waiting();
    expect(requests).toMatchObject([
      {
        batchId: dallas.batchId,
        brand: north,
        requestedBy: ann,
        note: 'Crews live there',
        total: 4,
      },
      { batchId: phoenix.batchId, brand: south, requestedBy: agent, note: null, total: 3 },
    ]);
    expect(requests[0]!.requestedAt.getTime()).toBeLessThan(requests[1]!.requestedAt.getTime());
    expect(requests[0]!.zips.map(({ zip }) => zip)).toEqual(DALLAS.slice(0, 4));
    expect(requests[0]!.zips[0]).toMatchObject({ city: 'Dallas', state: 'TX', sharedWith: [] });
    expect([total, nextCursor]).toEqual([7, null]);
  });

  it('flags shared and isolated ZIP codes', async () => {
    const { tenant, waiting, south } = await setting();
    await apply(tenant, agent, south, [DALLAS[0]!]);
    const { requests } = await waiting();
    const flags = requests.map(({ zips }) =>
      zips.map(({ sharedWith, isolated }) => [sharedWith.map(({ slug }) => slug).join(), isolated]),
    );
    expect(flags[0]![0]).toEqual(['south', false]);
    expect(flags[0]!.slice(1).every(([shared]) => shared === '')).toBe(true);
    expect(flags[2]).toEqual([['north', true]]);
  });

  it('is filtered by brand, requester, state, age, and brand scope', async () => {
    const { tenant, waiting, north, south } = await setting();
    const batches = async (...args: Parameters<typeof waiting>) =>
      (await waiting(...args)).requests.map(({ brand }) => brand.slug);
    expect(await batches({ brandId: south.id })).toEqual(['south']);
    expect(await batches({ requester: ann.id! })).toEqual(['north']);
    expect(await batches({ state: 'AZ' })).toEqual(['south']);
    expect(await batches({ before: new Date(Date.now() - 60_000) })).toEqual([]);
    expect(await batches({ before: new Date(Date.now() + 60_000) })).toEqual(['north', 'south']);
    expect(await batches({}, new Set([south.id]))).toEqual(['south']);
    expect(await batches({ brandId: "' or true" })).toEqual([]);
    expect(await queueParts(tenant, 'all')).toEqual([
      { brand: north, requestedBy: ann, state: 'TX', zips: 4 },
      { brand: south, requestedBy: agent, state: 'AZ', zips: 3 },
    ]);
  });

  it('treats a person and their connectors as one requester', async () => {
    const { tenant, waiting, north } = await setting();
    await apply(tenant, { ...ann, via: 'Claude' } as Actor, north, [DALLAS[4]!]);
    await apply(tenant, { ...ann, via: 'Cursor' } as Actor, north, [DALLAS[5]!]);
    const { requests } = await waiting({ requester: ann.id! });
    expect(requests.map(({ total }) => total)).toEqual([4, 1, 1]);
    const parts = await queueParts(tenant, new Set([north.id]));
    expect(parts).toEqual([{ brand: north, requestedBy: ann, state: 'TX', zips: 6 }]);
  });

  it('treats all operators, who have no id, as one requester', async () => {
    const { tenant, waiting, south } = await setting();
    const operator: Actor = { kind: 'operator', id: null, name: 'root' };
    await apply(tenant, operator, south, [DALLAS[5]!]);
    const { requests } = await waiting({ requester: 'operator' });
    expect(requests.map(({ requestedBy }) => requestedBy)).toEqual([operator]);
  });

  it('is paginated, with the total of each request on every page', async () => {
    const { tenant } = await setting();
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await pendingRequests(tenant, 'all', {}, { limit: 3, cursor });
      pages.push(page.requests.map(({ zips, total }) => `${zips.length} of ${total}`));
      expect(page.total).toBe(7);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(pages).toEqual([['3 of 4'], ['1 of 4', '2 of 3'], ['1 of 3']]);
  });

  it('counts pending ZIP codes within the scope only', async () => {
    const { tenant, south, dallas } = await setting();
    await decided(tenant, (tx) => approveReviews(tx, reviewer, { batchId: dallas.batchId! }));
    expect(await countPendingReviews(tenant, 'all')).toBe(3);
    expect(await countPendingReviews(tenant, new Set([south.id]))).toBe(3);
    expect(await countPendingReviews(tenant, new Set())).toBe(0);
    const other = await organizationWith(db);
    expect(await countPendingReviews(other.tenant, 'all')).toBe(0);
  });
});

describe('a selection', () => {
  it('consists of ZIP codes, whole requests, or everything shown', async () => {
    const { tenant, waiting, dallas, phoenix } = await setting();
    const [first] = (await waiting()).requests;
    const zips = async (filter: QueueFilter, choice: Partial<typeof NO_CHOICE>) =>
      (await selectedReviews(tenant, 'all', filter, { ...NO_CHOICE, ...choice })).map(
        ({ zip }) => zip,
      );
    const ids = [first!.zips[1]!.id] as never[];
    expect(await zips({}, { ids })).toEqual([DALLAS[1]]);
    expect(await zips({}, { ids, batchIds: [phoenix.batchId] as never[] })).toEqual([
      DALLAS[1],
      ...PHOENIX,
    ]);
    const picked = [
      [dallas.batchId, DALLAS[2]],
      [dallas.batchId, PHOENIX[0]],
    ];
    expect(await zips({}, { picked: picked as never[] })).toEqual([DALLAS[2]]);
    expect(await zips({}, { all: true })).toEqual([...DALLAS.slice(0, 4), ...PHOENIX]);
    expect(await zips({ state: 'AZ' }, { all: true })).toEqual(PHOENIX);
    expect(await zips({ state: 'AZ' }, { batchIds: [dallas.batchId] as never[] })).toEqual([]);
    expect(await zips({}, {})).toEqual([]);
    expect(await zips({}, { ids: ['x'] as never[] })).toEqual([]);
  });

  it('excludes other scopes and organizations', async () => {
    const { tenant, south, waiting } = await setting();
    const ids = (await waiting()).requests[0]!.zips.map(({ id }) => id);
    const choice = { ...NO_CHOICE, ids, all: true };
    expect(await selectedReviews(tenant, new Set([south.id]), {}, choice)).toMatchObject(
      PHOENIX.map((zip) => ({ zip })),
    );
    const other = await organizationWith(db, 'North');
    expect(await selectedReviews(other.tenant, 'all', {}, choice)).toEqual([]);
  });

  it('reports who decided a review in the meantime, when, and why', async () => {
    const { tenant, waiting } = await setting();
    const [first, second] = (await waiting()).requests[0]!.zips.map(({ id }) => id);
    const no = 'Too far';
    await decided(tenant, (tx) => rejectReviews(tx, reviewer, { ids: [first!] }, no));
    const choice = { ...NO_CHOICE, ids: [first!, second!] };
    const [gone, open] = await selectedReviews(tenant, 'all', {}, choice);
    expect(gone).toMatchObject({ status: 'rejected', reason: no, decidedBy: reviewer.actor });
    expect(gone!.decidedAt).toBeInstanceOf(Date);
    expect(open).toMatchObject({ status: 'pending', decidedBy: null, decidedAt: null });
    const both = decided(tenant, (tx) => approveReviews(tx, reviewer, { ids: [first!] }));
    await expect(both).rejects.toThrow(`${DALLAS[0]} (rejected by Rita)`);
  });

  it('can contain 5,000 ZIP codes, decided at once', async () => {
    const { tenant, brands } = await organizationWith(db, 'Large');
    const [large] = brands;
    const rows = await tenant.query<{ zip: string }>(
      `with asked as (
         insert into reviews (organization_id, brand_id, zip, batch_id, requested_by)
         select $1, $2, zip, gen_random_uuid(), $3 from zips order by zip limit 5000 returning zip)
       insert into brand_zips (organization_id, brand_id, zip, state)
       select $1, $2, zip, 'pending' from asked returning zip`,
      [large.id, agent],
    );
    const zips = rows.map(({ zip }) => zip).sort();
    const chosen = await selectedReviews(tenant, 'all', {}, { ...NO_CHOICE, all: true });
    expect(chosen).toHaveLength(5000);
    const ids = chosen.map(({ id }) => id);
    const done = await decided(tenant, (tx) => approveReviews(tx, reviewer, { ids }));
    expect([done.decided.length, done.notOpen, done.entries.length]).toEqual([5000, [], 1]);
    expect(await countPendingReviews(tenant, 'all')).toBe(0);
    const { rows: entries } = await readActivityLog(tenant, 'all', { ids: done.entries });
    expect(entries[0]!.zips).toEqual(zips);
  });
});

describe('scores in the queue', () => {
  it('are the public ones, or those by custom weights', async () => {
    const { tenant } = await organizationWith(db);
    const before = await verticalScores(db, unlimitedViewer(tenant), 'roofing', [
      ...DALLAS,
      '00000',
    ]);
    expect(before.own).toBe(false);
    expect([...before.scores.keys()].sort()).toEqual(DALLAS);
    await setProfile(tenant, ann, 'roofing', { medianAge: -1 });
    const after = await verticalScores(db, unlimitedViewer(tenant), 'roofing', [
      ...DALLAS,
      '00000',
    ]);
    expect(after.own).toBe(true);
    expect([...after.scores.keys()]).toEqual(DALLAS);
    expect([...after.scores.values()]).not.toEqual(DALLAS.map((zip) => before.scores.get(zip)));
    expect([...after.scores.values()].every((score) => score >= 0 && score <= 100)).toBe(true);
  });
});

describe('the activity log', () => {
  it('is filtered by brand, action, actor, and days, and is paginated', async () => {
    const { tenant, north, dallas } = await setting();
    await decided(tenant, (tx) => approveReviews(tx, reviewer, { batchId: dallas.batchId! }));
    await tenant.transaction((tx) => removeZips(tx, ann, north, { zips: [DALLAS[0]!] }));
    const kinds = async (filter: object, page = {}) =>
      (await readActivityLog(tenant, 'all', filter, page)).rows.map(({ action }) => action);
    expect(await kinds({})).toEqual([
      'territory_removed',
      'territory_approved',
      'territory_applied',
      'territory_applied',
    ]);
    expect(await kinds({ brandId: north.id, actor: ann.id })).toEqual([
      'territory_removed',
      'territory_applied',
    ]);
    expect(await kinds({ actions: ['territory_approved'] })).toEqual(['territory_approved']);
    const later = new Date(Date.now() + 60_000);
    expect(await kinds({ from: later })).toEqual([]);
    expect(await kinds({ until: later })).toHaveLength(4);
    const first = await readActivityLog(tenant, 'all', {}, { limit: 3 });
    expect(first.rows[0]).toMatchObject({ undoable: true, brand: north, zips: [DALLAS[0]] });
    const rest = await readActivityLog(tenant, 'all', {}, { limit: 3, cursor: first.nextCursor! });
    expect(rest.rows.map(({ actor }) => actor)).toEqual([ann]);
    expect(await readActivityLog(tenant, new Set(), {})).toEqual({ rows: [], nextCursor: null });
  });

  it('lists each actor once, by their latest name', async () => {
    const { tenant, north } = await setting();
    await apply(tenant, { ...ann, name: 'Ann Lee' } as Actor, north, [DALLAS[7]!]);
    expect((await listActivityActors(tenant)).map(({ name }) => name)).toEqual([
      'Agent',
      'Ann Lee',
    ]);
    await apply(tenant, { ...ann, via: 'Claude' } as Actor, north, [DALLAS[6]!]);
    expect(await listActivityActors(tenant)).toEqual([agent, ann]);
  });
});
