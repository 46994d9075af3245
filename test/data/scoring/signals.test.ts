import { describe, expect, test } from 'vitest';
import type { Demographics } from '../../../src/data/ingest/demographics.ts';
import { rankSignals, SIGNALS, type SignalId } from '../../../src/data/scoring/signals.ts';
import { AS_OF, zip } from './zips.ts';

const ranks = (signal: SignalId, zips: Partial<Demographics>[]) => [
  ...rankSignals(zips.map(zip), AS_OF)[signal],
];

test.each([
  -111111111,
  -222222222,
  -333333333,
  -555555555,
  -666666666,
  -888888888,
  -999999999,
  -1,
  NaN,
  Infinity,
  null,
])('an income of %s is unknown, not the lowest', (medianHouseholdIncome) => {
  const zips = [{ medianHouseholdIncome }, { medianHouseholdIncome: 50_000 }];
  expect(ranks('medianHouseholdIncome', zips)).toEqual([NaN, 0.5]);
});

test('zero is a known value and ranks lowest', () => {
  expect(ranks('ownerOccupiedPct', [{ ownerOccupiedPct: 0 }, { ownerOccupiedPct: 1 }])).toEqual([
    0.25, 0.75,
  ]);
});

test('top-coded incomes share the top rank', () => {
  const incomes = [250_001, 250_000, 250_001, 40_000];
  expect(
    ranks(
      'medianHouseholdIncome',
      incomes.map((medianHouseholdIncome) => ({ medianHouseholdIncome })),
    ),
  ).toEqual([0.75, 0.375, 0.75, 0.125]);
});

describe('only populated ZIP codes are ranked', () => {
  test('a ZIP code without residents is excluded, even if households are reported', () => {
    expect(
      ranks('medianHouseholdIncome', [{ populationTotal: 0, householdsTotal: 5 }, {}]),
    ).toEqual([NaN, 0.5]);
  });

  test('a ZIP code with an unknown population is ranked if it has households', () => {
    const unknown = { populationTotal: -666666666 };
    expect(ranks('medianHouseholdIncome', [{ ...unknown, householdsTotal: 5 }])).toEqual([0.5]);
    expect(ranks('medianHouseholdIncome', [{ ...unknown, householdsTotal: 0 }])).toEqual([NaN]);
    expect(ranks('medianHouseholdIncome', [{ ...unknown, householdsTotal: null }])).toEqual([NaN]);
  });
});

test('a median age of 30 to 50 ranks highest, and ages further away rank lower', () => {
  const ages = [30, 50, 25, 55, 70, null].map((medianAge) => ({ medianAge }));
  expect(ranks('medianAgeNear30To50', ages)).toEqual([0.8, 0.8, 0.4, 0.4, 0.1, NaN]);
});

test('the median year built is not used', () => {
  const years = [1950, 2015].map((medianYearBuilt) => zip({ medianYearBuilt }));
  for (const column of Object.values(rankSignals(years, AS_OF))) {
    expect(column[0]).toBe(column[1]);
  }
});

test('every signal has its own label and names its ACS table', () => {
  const signals = Object.values(SIGNALS);
  expect(new Set(signals.map(({ label }) => label)).size).toBe(signals.length);
  for (const { source } of signals) expect(source).toMatch(/^B\d{5}$/);
});
