/** The figures on a brand's pages, tested on a grid of squares. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import { effectOfChange, type Change } from '../../../src/territories/brands/effect.ts';
import { heldCounts } from '../../../src/territories/brands/health.ts';
import {
  brandZips,
  matchingZips,
  type BrandZipFilter,
} from '../../../src/territories/brands/brand-zips.ts';
import { areasOfZips } from '../../../src/data/market/areas.ts';
import { bboxOfZips, mapZips } from '../../../src/territories/brands/map-zips.ts';
import { listRemovals } from '../../../src/territories/brands/removals.ts';
import { removeZips } from '../../../src/territories/brands/remove.ts';
import { undoRemoval } from '../../../src/territories/brands/undo.ts';
import { zipsInRadius } from '../../../src/territories/brands/zips-in-radius.ts';
import { testDatabase } from '../../support/database.ts';
import { drawGrid, zipsDrawn, SIDE_DEG, square } from './grid.ts';
import { hold } from './holding.ts';
import { agent, organizationWith, unlimitedViewer } from './organization.ts';

const { db } = await testDatabase('empty');
const SIDE_MILES = (6_371_008.77 * (Math.PI / 180)) / 16 / 1609.344;

let tenant: TenantDatabase;
let ours: Brand;
let rival: Brand;

const LAND = [
  '##.##..', //
  '.#####.',
  '.......',
  '......p',
];
const held = zipsDrawn(LAND);

beforeAll(async () => {
  await drawGrid(db, 7, 7);
  await db.query(
    `insert into zip_demographics (zip, households_total, source_vintage)
     select zip, 100, 'test' from zips`,
  );
  const made = await organizationWith(db, 'Ours', 'Rival');
  tenant = made.tenant;
  [ours, rival] = made.brands;
  await hold(tenant, ours, zipsDrawn(LAND, /#/));
  await hold(tenant, ours, zipsDrawn(LAND, /p/), 'pending');
  await hold(tenant, rival, [square(0, 0), square(0, 2), square(5, 5)]);
});

const effect = (change: Change) => effectOfChange(db, unlimitedViewer(tenant), 'all', ours, change);

describe('effectOfChange', () => {
  it('has no effect without a change', async () => {
    const { before, after, ...rest } = await effect({});
    expect(before).toEqual(after);
    expect(before).toEqual({
      zips: 10,
      households: 1000,
      pieces: 2,
      holes: 0,
      gaps: 3,
      isolated: 1,
      shared: 1,
      balance: expect.objectContaining({ deviationPct: 53.8, index: 46 }),
    });
    expect(rest).toMatchObject({ newlyIsolated: [], noLongerIsolated: [], cutOff: [] });
    expect(rest).toMatchObject({ newHoles: [], newGaps: [] });
  });

  it('lists isolated, newly connected, and shared ZIP codes of an addition', async () => {
    const beside = square(2, 6);
    const alone = square(6, 0);
    const { after, newlyIsolated, noLongerIsolated, cutOff, sharedWith } = await effect({
      added: [beside, alone, square(0, 2)],
    });
    expect(after).toMatchObject({ zips: 13, households: 1300, pieces: 3, isolated: 1, shared: 2 });
    expect(newlyIsolated).toEqual([alone]);
    expect(noLongerIsolated).toEqual([square(3, 6)]);
    expect(cutOff).toEqual([]);
    expect(sharedWith.get(square(0, 2))).toEqual([rival]);
    expect(sharedWith.has(beside)).toBe(false);
  });

  it('lists the ZIP codes that removing a bridge cuts off from the larger part', async () => {
    const { before, after, cutOff, newlyIsolated } = await effect({ removed: [square(1, 2)] });
    expect([before.pieces, after.pieces]).toEqual([2, 3]);
    expect(cutOff).toEqual([square(0, 0), square(0, 1), square(1, 1)]);
    expect(newlyIsolated).toEqual([]);
    const more = await effect({ removed: [square(1, 2), square(0, 1)] });
    expect(more.cutOff).toEqual([square(0, 0), square(1, 1)]);
    expect(more.newlyIsolated).toEqual([square(0, 0), square(1, 1)]);
  });

  it('lists the holes and gaps that a change opens, and closes them', async () => {
    // A ring around one ZIP code, then a bay in its side
    const ring = zipsDrawn(['.......', '.......', '###....', '#.#....', '###....']);
    const { brands, tenant: other } = await organizationWith(db, 'Ring');
    await hold(other, brands[0], ring);
    const change = (zips: Change) =>
      effectOfChange(db, unlimitedViewer(other), 'all', brands[0], zips);
    const opened = await change({ removed: [square(3, 2)] });
    expect(opened.before).toMatchObject({ zips: 8, holes: 1, gaps: 0 });
    expect(opened.after).toMatchObject({ holes: 0, gaps: 1 });
    expect(opened).toMatchObject({ newHoles: [], newGaps: [square(3, 1)] });
    const filled = await change({ added: [square(3, 1)] });
    expect(filled.after).toMatchObject({ zips: 9, holes: 0, gaps: 0 });
    const added = [square(3, 1), square(2, 3), square(4, 3), square(3, 4)];
    expect(await change({ added, removed: [square(3, 2)] })).toMatchObject({
      newHoles: [square(3, 2), square(3, 3)],
      newGaps: [],
    });
  });

  it('cuts nothing off by removing an end or a whole piece', async () => {
    expect((await effect({ removed: [square(0, 0)] })).cutOff).toEqual([]);
    const { after, cutOff } = await effect({ removed: [square(3, 6)] });
    expect(cutOff).toEqual([]);
    expect(after).toMatchObject({ pieces: 1, isolated: 0 });
  });

  it('is an empty territory after removing everything, and has no balance for a single brand', async () => {
    expect((await effect({ removed: [...held] })).after).toMatchObject({
      zips: 0,
      pieces: 0,
      balance: { deviationPct: -100, index: 0 },
    });
    const alone = await effectOfChange(db, unlimitedViewer(tenant), new Set([ours.id]), ours, {});
    expect(alone.before.balance).toBeNull();
  });
});

describe('zipsInRadius', () => {
  const middle = { lat: -3.5 * SIDE_DEG, lng: 3.5 * SIDE_DEG };
  const within = (miles: number) => zipsInRadius(db, { zip: square(3, 3) }, miles);

  it('returns the ZIP codes with their centroid inside, in order', async () => {
    expect(await within(0.5 * SIDE_MILES)).toEqual([square(3, 3)]);
    const cross = zipsDrawn(['.......', '.......', '...#...', '..###..', '...#...']);
    expect(await within(1.2 * SIDE_MILES)).toEqual([...cross].sort());
    expect(await within(1.5 * SIDE_MILES)).toHaveLength(9);
    expect(await zipsInRadius(db, middle, 1.2 * SIDE_MILES)).toEqual([...cross].sort());
  });

  it('returns nothing far from all ZIP codes', async () => {
    expect(await zipsInRadius(db, { lat: 80, lng: 179.9 }, 250)).toEqual([]);
  });

  it.each([
    [{ zip: '00000' }, 5, 'ZIP code 00000 isn’t known'],
    [{ lat: 91, lng: 0 }, 5, 'Latitude must be from -90 to 90'],
    [{ lat: Number.NaN, lng: 0 }, 5, 'Latitude must be from -90 to 90'],
    [middle, 251, 'from 0.1 to 250'],
    [middle, 0, 'from 0.1 to 250'],
    [middle, Number.NaN, 'from 0.1 to 250'],
  ])('refuses %j with %d miles', async (center, miles, problem) => {
    await expect(zipsInRadius(db, center, miles)).rejects.toThrow(problem);
  });
});

describe('the ZIP codes of a map', () => {
  it('are the held ones with the same facts as in the table', async () => {
    const [zips, { rows }] = [await mapZips(tenant, ours), await brandZips(tenant, ours)];
    expect(zips).toEqual(
      rows.map(({ zip, status, sharedWith, isolated }) => ({
        zip,
        status,
        sharedWith: sharedWith.map(({ name }) => name),
        isolated,
      })),
    );
    expect(zips.filter(({ isolated }) => isolated).map(({ zip }) => zip)).toEqual([square(3, 6)]);
    const counts = await heldCounts(tenant, [ours.id, rival.id]);
    expect(counts.get(ours.id)).toMatchObject({ shared: 1, isolated: 1 });
    expect(counts.get(rival.id)).toMatchObject({ shared: 1, isolated: 3 });
  });

  it('have a bounding box, which is the country’s if there are none', async () => {
    const [west, south, east, north] = await bboxOfZips(tenant.common, [
      square(1, 1),
      square(2, 3),
    ]);
    expect([west, south, east, north].map((deg) => deg / SIDE_DEG)).toEqual([1, -3, 4, -1]);
    expect(await bboxOfZips(tenant.common, [])).toEqual([-125, 24.4, -66.9, 49.4]);
    expect(await areasOfZips(tenant.common, [square(1, 1), square(2, 3)])).toEqual([
      { label: 'TX', zips: 2, bbox: [west, south, east, north] },
    ]);
  });
});

describe('matchingZips', () => {
  const filters: BrandZipFilter[] = [
    {},
    { status: 'pending' },
    { flag: 'isolated' },
    { flag: 'shared', status: 'live' },
    { state: 'TX', reviewStatus: 'approved' },
    { reviewStatus: 'pending' },
    { state: 'OK' },
  ];
  it.each(filters)('returns the ZIP codes of all pages: %j', async (filter) => {
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await brandZips(tenant, ours, filter, { limit: 3, cursor });
      listed.push(...page.rows.map(({ zip }) => zip));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(await matchingZips(tenant, ours, filter)).toEqual(listed);
  });
});

describe('removals', () => {
  it('are listed with the result of their undo', async () => {
    const { tenant: own, brands } = await organizationWith(db, 'Mine', 'Other');
    const [mine, other] = brands;
    const [a, b, c] = [square(4, 0), square(4, 1), square(4, 2)];
    await hold(own, mine, [a, b, c]);
    const remove = (zips: string[], reason?: string) =>
      own.transaction((tx) => removeZips(tx, agent, mine, { zips, reason }));
    const first = await remove([a]);
    const second = await remove([b, c], 'Too far');
    const untouched = await listRemovals(own, mine);
    expect(untouched.rows).toMatchObject([
      { id: second.removalId, zips: [b, c], by: agent, undone: null },
      { id: first.removalId, zips: [a], undone: null },
    ]);
    expect(untouched.rows[0]!.summary).toContain('Reason: Too far');

    await own.transaction((tx) => applyZips(tx, agent, mine, { zips: [b] }));
    await hold(own, other, [c]);
    await undoRemoval(own, agent, second.removalId);
    const page = await listRemovals(own, mine, { limit: 1 });
    expect(page.rows[0]!.undone).toMatchObject({
      restored: [c],
      left: [b],
      shared: [c],
      by: agent,
    });
    const next = await listRemovals(own, mine, { limit: 1, cursor: page.nextCursor! });
    expect(next.rows.map(({ id }) => id)).toEqual([first.removalId]);
    expect(next.nextCursor).toBeNull();
    expect((await listRemovals(own, other)).rows).toEqual([]);
    expect((await listRemovals(own, mine, {}, first.removalId)).rows).toHaveLength(1);
    expect((await listRemovals(own, other, {}, first.removalId)).rows).toEqual([]);
  });
});
