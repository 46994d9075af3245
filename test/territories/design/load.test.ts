import { expect, it } from 'vitest';
import { loadMap, loadMeasure } from '../../../src/territories/design/load.ts';
import { solve } from '../../../src/territories/design/solve.ts';
import { resolveMarket } from '../../../src/data/market/market.ts';
import { testDatabase } from '../../support/database.ts';
import { piecesOf } from './random-map.ts';

const { db } = await testDatabase('sample');

it('divides a metro of the database by households', async () => {
  const { zips } = await resolveMarket(db, { metro: 'dallas-tx' });
  const { withoutPosition, ...map } = await loadMap(db, [...zips, '00000']);
  expect(withoutPosition).toEqual(['00000']);
  expect(map.zips).toEqual(zips);
  const households = await loadMeasure(db, zips, 'households');
  const result = solve({ ...map, measures: [households], territories: { count: 8 }, effort: 0.5 });
  expect(result.violations).toEqual([]);
  expect(result.objective.worstDeviation).toBeLessThan(0.01);
  expect(piecesOf(map, result.assignment)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  for (const { compactness, reachMiles, neighbors } of result.territories) {
    expect(compactness).toBeGreaterThan(0.05);
    expect(compactness).toBeLessThan(0.8);
    expect(reachMiles).toBeGreaterThan(5);
    expect(neighbors.length).toBeGreaterThan(0);
  }
  const opportunity = await loadMeasure(db, zips, 'opportunity', 'roofing');
  const [all, weighted] = [households, opportunity].map(({ values }) =>
    values.reduce((a, b) => a + b, 0),
  );
  expect(weighted! / all!).toBeGreaterThan(0.2);
  expect(weighted! / all!).toBeLessThan(0.9);
});
