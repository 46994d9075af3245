/** A territory that is too large to unite its ZIP codes before distances are measured. */
import { expect, it } from 'vitest';
import { discover } from '../../../src/territories/brands/discover.ts';
import { testDatabase } from '../../support/database.ts';
import { drawGrid, square } from './grid.ts';
import { hold } from './holding.ts';
import { organizationWith, unlimitedViewer } from './organization.ts';

const SIZE = 15;
/** A sixteenth of a degree on a great circle of PostGIS's sphere (radius 6,371,008.77 m). */
const SIDE_MILES = (6_371_008.77 * (Math.PI / 180)) / 16 / 1609.344;

it('measures from the nearest border of a large territory, best scores first', async () => {
  const { db } = await testDatabase('empty');
  await drawGrid(db, SIZE, SIZE);
  await db.query(
    `insert into zip_scores (zip, vertical, score, percentile, coverage)
     select zip, 'roofing', 50, (right(zip, 2)::int % 3) / 4.0, 1 from zips`,
  );
  const { tenant, brands } = await organizationWith(db, 'West');
  const rows = Array.from({ length: SIZE }, (_, row) => row);
  const held = rows.flatMap((row) => rows.slice(0, 8).map((column) => square(row, column)));
  await hold(tenant, brands[0], held);

  const pages = [];
  let cursor: string | null | undefined;
  do {
    const found = await discover(
      unlimitedViewer(tenant),
      'all',
      {
        vertical: 'roofing',
        brand: brands[0],
        source: { brand: 'border' },
        radiusMiles: 4.6 * SIDE_MILES,
      },
      { limit: 20, ...(cursor && { cursor }) },
    );
    pages.push(...found.rows);
    cursor = found.nextCursor;
  } while (cursor);

  const sides = new Map([8, 9, 10, 11, 12].map((column) => [column, column - 8 + 0.5]));
  const byScore = [...sides.keys()].sort((a, b) => (b % 3) - (a % 3) || a - b);
  const columnOf = (zip: string) => Number(zip.slice(-2));
  expect(pages.map(({ zip }) => columnOf(zip))).toEqual(
    byScore.flatMap((column) => rows.map(() => column)),
  );
  expect(new Set(pages.map(({ zip }) => zip)).size).toBe(pages.length);
  for (const { zip, distanceMiles, adjacent } of pages) {
    const expected = sides.get(columnOf(zip))!;
    expect(distanceMiles).toBeCloseTo(expected * SIDE_MILES, 0);
    expect(adjacent).toBe(expected < 1);
  }
});
