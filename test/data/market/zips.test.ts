import { expect, it } from 'vitest';
import { launchedMetros } from '../../../src/data/market/metros.ts';
import { placedZips, scoresOfZips, zipShapes, zipsOfMetro } from '../../../src/data/market/zips.ts';
import { bboxAround } from '../../../src/base/spatial/bbox.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');

it.each(launchedMetros())('finds ZIP codes, boundaries, and scores of $slug', async ({ slug }) => {
  const zips = await zipsOfMetro(db, slug);
  expect((await zipShapes(db, zips, 2)).size).toBe(zips.length);
  expect((await scoresOfZips(db, zips, 'hvac')).size).toBeGreaterThan(40);
  const placed = await placedZips(db, zips);
  const [west, south, east, north] = bboxAround(placed.map(({ bbox }) => bbox));
  // The largest metros, Los Angeles and Phoenix, span two to three degrees.
  expect(east - west).toBeLessThan(6);
  expect(north - south).toBeLessThan(4);
});
