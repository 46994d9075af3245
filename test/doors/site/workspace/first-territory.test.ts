import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  canPropose,
  describeFirstTerritory,
  firstTerritoryIn,
  growFirst,
} from '../../../../src/doors/site/workspace/browser/solver/first-territory.ts';
import { piecesOf } from '../../../../src/doors/site/workspace/browser/territories/figures.ts';
import { readMarket } from '../../../../src/doors/site/workspace/browser/market.ts';
import { draftOf, gridAnswer, gridMarket, territory } from './grid.ts';

const brand = { id: 'b', slug: 'best-roofs', name: 'Best Roofs' };
const ROOFING = { slug: 'roofing', label: 'Roofing' };
const all = () => true;

/** Seven columns and rows of 1,000 households. The middle is 24. */
const market = gridMarket({
  columns: 7,
  rows: 7,
  figures: {
    households: Array.from({ length: 49 }, () => 1_000),
    ownerOccupiedHouseholds: Array.from({ length: 49 }, () => 600),
    'score:roofing': Array.from({ length: 49 }, (_, i) => (i === 24 ? 80 : 50)),
  },
});
const MIDDLE = 24;
const SQUARE = [16, 17, 18, 23, 24, 25, 30, 31, 32];
const sorted = (zips: Iterable<number>) => [...zips].sort((a, b) => a - b);

it('is for a brand, if none has a ZIP code here', () => {
  const empty = territory(1, [], { brand });
  expect(firstTerritoryIn({ territories: [empty] })).toBe(empty);
  expect(firstTerritoryIn(draftOf([]))).toBeNull();
  expect(firstTerritoryIn({ territories: [empty, territory(2, [1], { brand })] })).toBeNull();
});

it('waits for a market, and for consent to what its figures would use of a trial', () => {
  expect(canPropose(null)).toBe(false);
  expect(canPropose({ ...market, asksForFigures: true })).toBe(false);
  expect(canPropose(market)).toBe(true);
});

it('is compact: nine ZIP codes of a grid are a square', () => {
  const byCount = growFirst(market, MIDDLE, { unit: 'zips', amount: 9 }, all);
  expect(sorted(byCount)).toEqual(SQUARE);
  const byHouseholds = growFirst(market, MIDDLE, { unit: 'households', amount: 9_300 }, all);
  expect(sorted(byHouseholds)).toEqual(SQUARE);
});

it('passes over a nearer neighbor that it only touches along a short edge', () => {
  const row = gridAnswer({ columns: 3, rows: 1 });
  const touching = readMarket({
    ...row,
    lon: [row.lon[1]! - 0.007, row.lon[1]!, row.lon[2]!],
    // 0 with 1, 1 with 0 and 2, and 2 with 1
    borderKm: [0.05, 0.05, 1, 1],
  });
  const grown = growFirst(touching, 1, { unit: 'zips', amount: 2 }, all);
  expect(sorted(grown)).toEqual([1, 2]);
});

it('prefers a compact territory to one of the exact size', () => {
  // The ZIP code that fills the corner has too many households, and one at an edge has the exact number.
  const households = Array.from({ length: 49 }, () => 1_000);
  households[32] = 1_400;
  households[26] = 1_000;
  const uneven = gridMarket({ columns: 7, rows: 7, figures: { households } });
  const grown = growFirst(uneven, MIDDLE, { unit: 'households', amount: 9_000 }, all);
  expect(sorted(grown)).toEqual(SQUARE);
});

it('is one piece, with the home, of what it may take, and as large as asked within half a ZIP code', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 48 }),
      fc.integer({ min: 1, max: 30 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 48 }), { maxLength: 12 }),
      (home, amount, taken) => {
        const mayTake = (zip: number) => !taken.includes(zip);
        const size = { unit: 'households', amount: 1_000 * amount } as const;
        const grown = growFirst(market, home, size, mayTake);
        expect(grown.has(home)).toBe(true);
        expect(piecesOf(market, grown)).toHaveLength(1);
        expect([...grown].filter((zip) => zip !== home).every(mayTake)).toBe(true);
        const free = growFirst(market, home, { unit: 'miles', amount: 1 }, mayTake);
        expect(grown.size).toBe(Math.min(amount, free.size));
      },
    ),
  );
});

it('explains itself: where it is, who lives there, and how it misses the size', () => {
  const zips = new Set([24, 25, 31]);
  const size = { unit: 'households', amount: 2_500 } as const;
  expect(describeFirstTerritory(market, MIDDLE, zips, size, ROOFING).slice(0, 2)).toEqual([
    '3 ZIP codes up to 0.7 miles from 75024, with 3,000 households, of which 60% own their home. ' +
      'Their average Roofing score is 60 of 100.',
    'It takes whole neighbors with long common borders, so that it stays compact. That makes ' +
      '20% more than 2,500 households.',
  ]);
  const alone = { unit: 'zips', amount: 1 } as const;
  const [first, second] = describeFirstTerritory(market, MIDDLE, new Set([24]), alone, ROOFING);
  expect(first).toContain('75024 alone, with 1,000 households');
  expect(second).not.toContain('%');
});
