import { expect, it } from 'vitest';
import {
  canPropose,
  describeFirstTerritory,
  firstTerritoryForm,
  firstTerritoryIn,
  withHome,
} from '../../../src/site/account/workspace/browser/solver/first-territory.ts';
import {
  problemOf,
  solveRequest,
} from '../../../src/site/account/workspace/browser/solver/solve-task.ts';
import { draftOf, gridMarket, territory } from './grid.ts';

const brand = { id: 'b', slug: 'best-roofs', name: 'Best Roofs' };
const ROOFING = { slug: 'roofing', label: 'Roofing' };
const market = gridMarket({
  ...{ columns: 3, rows: 1 },
  figures: { households: [10_000, 20_000, null], 'score:roofing': [80, 20, 90] },
});
const empty = territory(1, [], { brand });

it('is for a brand, if none has a ZIP code here', () => {
  expect(firstTerritoryIn({ territories: [empty] })).toBe(empty);
  expect(firstTerritoryIn(draftOf([]))).toBeNull();
  expect(firstTerritoryIn({ territories: [empty, territory(2, [1], { brand })] })).toBeNull();
});

it('waits for a market, and for consent to what its figures would use of a trial', () => {
  expect(canPropose(null)).toBe(false);
  expect(canPropose({ ...market, asksForFigures: true })).toBe(false);
  expect(canPropose(market)).toBe(true);
});

it('grows from the home ZIP code to the demand of 50,000 average households', () => {
  const form = firstTerritoryForm(empty, 'roofing');
  const draft = withHome({ territories: [empty] }, empty, 1);
  expect(problemOf(form, draft, market)).toBeNull();
  expect(solveRequest(market, 'metro=dallas-tx', draft, form)).toEqual({
    ...{ metro: 'dallas-tx', task: 'grow', territory: 1, target: 25_000, seconds: 5 },
    ...{ balance: 'opportunity', vertical: 'roofing' },
    territories: [{ number: 1, name: 'Territory 1', zips: ['75001'] }],
  });
});

it('is described by its households, weighted by the scores of the trade', () => {
  const [first] = describeFirstTerritory(market, territory(1, [0, 1]), ROOFING);
  // 10,000 with 80 and 20,000 with 20 are worth 12,000 of 100, or 24,000 of 50.
  expect(first).toBe(
    '2 ZIP codes with 30,000 households. Weighted by their Roofing scores, they equal ' +
      '24,000 households with an average score.',
  );
});
