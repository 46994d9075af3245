import { beforeAll, describe, expect, it } from 'vitest';
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import {
  discover,
  type Candidate,
  type Discovery,
} from '../../../src/territories/brands/discover.ts';
import { testDatabase } from '../../support/database.ts';
import { saveData } from '../own-data/saved.ts';
import { drawGrid, zipsDrawn, square } from './grid.ts';
import { hold } from './holding.ts';
import { organizationWith, unlimitedViewer } from './organization.ts';

const { db } = await testDatabase('empty');
const SIZE = 7;
/** A sixteenth of a degree on a great circle of PostGIS's sphere (radius 6,371,008.77 m). */
const SIDE_MILES = (6_371_008.77 * (Math.PI / 180)) / 16 / 1609.344;

let tenant: TenantDatabase;
let brand: Brand;
let rival: Brand;

beforeAll(async () => {
  await drawGrid(db, SIZE, SIZE);
  // Scores decrease from northwest to southeast; the last ZIP code has none.
  await db.query(
    `insert into zip_scores (zip, vertical, score, percentile, coverage)
     select zip, 'roofing', round(100 * (1 - n / 60.0)), 1 - n / 60.0, 1
     from (select zip, row_number() over (order by zip) - 1 as n from zips) z where n < 48`,
  );
  const made = await organizationWith(db, 'Ours', 'Rival');
  tenant = made.tenant;
  [brand, rival] = made.brands;
  await hold(tenant, brand, zipsDrawn(['.......', '.......', '..##...', '..##...']));
  await hold(tenant, rival, ['90201']);
});

const search = (changes: Partial<Discovery>, page = {}) =>
  discover(
    unlimitedViewer(tenant),
    'all',
    { vertical: 'roofing', brand, source: { zip: square(3, 3) }, radiusMiles: 5, ...changes },
    page,
  );
const zipsOf = ({ rows }: { rows: Candidate[] }) => rows.map(({ zip }) => zip);

describe('discover', () => {
  it('finds ZIP codes within the radius that are not held, best first', async () => {
    const { rows } = await search({ radiusMiles: 1.1 * SIDE_MILES });
    expect(rows.map(({ zip, adjacent, heldBy }) => ({ zip, adjacent, heldBy }))).toEqual([
      { zip: square(3, 4), adjacent: true, heldBy: [] },
      { zip: square(4, 3), adjacent: true, heldBy: [] },
    ]);
    for (const { distanceMiles } of rows) expect(distanceMiles).toBeCloseTo(SIDE_MILES, 1);
    const all = await search({ brand: null, radiusMiles: 1.1 * SIDE_MILES });
    expect(zipsOf(all)).toEqual(['90203', '90302', '90303', '90304', '90403']);
  });

  it('leaves out what a data set serves well, and gives the rates of the others', async () => {
    await db.query(
      `insert into zip_demographics (zip, owner_occupied_households, source_vintage)
       select zip, 500, 'Squares' from zips`,
    );
    await saveData({ tenant }, 'Jobs', { [square(3, 4)]: 6, [square(4, 3)]: 1, [square(2, 2)]: 3 });
    const { rows } = await search({ radiusMiles: 1.1 * SIDE_MILES, compareWith: 'jobs' });
    expect(rows.map(({ zip, own }) => ({ zip, own }))).toEqual([
      {
        zip: square(4, 3),
        own: 'Jobs: 1, 2 per 1,000 owner households; the median in the state outside of metros is 6',
      },
    ]);
    const inRings = { source: { brand: 'border' as const }, radiusMiles: 5, compareWith: 'jobs' };
    expect(zipsOf(await search(inRings))).not.toContain(square(3, 4));
  });

  it('measures from a point', async () => {
    // The center of the square southeast of the brand
    const { rows } = await search({ source: { lat: -4.5 / 16, lng: 4.5 / 16 }, radiusMiles: 1 });
    expect(rows).toMatchObject([{ zip: square(4, 4), distanceMiles: 0, adjacent: false }]);
  });

  it('measures from the border of the brand', async () => {
    const border = { source: { brand: 'border' } } as const;
    const beside = await search({ ...border, radiusMiles: 0.51 * SIDE_MILES });
    expect(zipsOf(beside).sort()).toEqual(
      ['90102', '90103', '90201', '90204', '90301', '90304', '90402', '90403'].sort(),
    );
    expect(beside.rows.every(({ adjacent }) => adjacent)).toBe(true);
    // Corners are half a diagonal away and don't border the brand.
    const corners = await search({ ...border, radiusMiles: 0.72 * SIDE_MILES });
    expect(corners.rows).toHaveLength(12);
    expect(corners.rows.filter(({ adjacent }) => !adjacent)).toHaveLength(4);
  });

  it('measures from the center of the brand', async () => {
    const { rows } = await search({ source: { brand: 'centroid' }, radiusMiles: 2 * SIDE_MILES });
    expect(rows[0]).toMatchObject({
      zip: '90102',
      distanceMiles: roundToTenth(Math.sqrt(2.5) * SIDE_MILES),
    });
  });

  it('returns a city’s ZIP codes, or with a radius those around its center', async () => {
    const city = { source: { city: 'squareVILLE', state: 'TX' }, radiusMiles: null } as const;
    // All ZIP codes except the four held ones and the one without a score
    expect((await search(city, { limit: 200 })).rows).toHaveLength(SIZE * SIZE - 5);
    expect(zipsOf(await search({ ...city, radiusMiles: 1.1 * SIDE_MILES }))).toEqual([
      '90304',
      '90403',
    ]);
  });

  it('names other brands that hold a ZIP code', async () => {
    const { rows } = await search({ radiusMiles: 3 * SIDE_MILES });
    expect(rows.find(({ zip }) => zip === '90201')!.heldBy).toEqual([rival]);
    const scoped = await discover(
      unlimitedViewer(tenant),
      new Set([brand.id]),
      { vertical: 'roofing', brand, source: { zip: '90201' }, radiusMiles: 1 },
      {},
    );
    expect(scoped.rows).toMatchObject([{ zip: '90201', heldBy: [] }]);
  });

  it('returns the same rows page by page', async () => {
    const whole = zipsOf(await search({ radiusMiles: 250 }, { limit: 200 }));
    const paged: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await search({ radiusMiles: 250 }, { limit: 7, cursor: cursor ?? undefined });
      paged.push(...zipsOf(page));
      cursor = page.nextCursor;
    } while (cursor);
    expect(paged).toEqual(whole);
    expect(whole).toHaveLength(SIZE * SIZE - 5);
  });

  it('explains what is missing', async () => {
    await expect(search({ source: { zip: '00501' } })).rejects.toThrow(
      /ZIP code 00501 isn’t known/,
    );
    await expect(search({ source: { city: 'Nowhere', state: 'TX' } })).rejects.toThrow(/Nowhere/);
    await expect(search({ radiusMiles: null })).rejects.toThrow(/radius/);
    const { brands, tenant: other } = await organizationWith(db, 'New');
    await expect(
      discover(
        unlimitedViewer(other),
        'all',
        { vertical: 'roofing', brand: brands[0], source: { brand: 'border' }, radiusMiles: 5 },
        {},
      ),
    ).rejects.toThrow(/holds no ZIP/);
  });
});

const roundToTenth = (value: number) => Math.round(10 * value) / 10;
