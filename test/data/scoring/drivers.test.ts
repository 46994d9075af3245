import { describe, expect, it } from 'vitest';
import { driversOf } from '../../../src/data/scoring/drivers.ts';
import { rankSignals } from '../../../src/data/scoring/signals.ts';
import { VERTICALS, type WeightedInput } from '../../../src/data/scoring/verticals.ts';
import { AS_OF, zip } from './zips.ts';

/** From the lowest income, age, and ownership to the highest; home ages are unknown. */
const ZIPS = Array.from({ length: 11 }, (_, i) =>
  zip({
    medianHouseholdIncome: 10_000 * (i + 1),
    medianAge: 30 + i,
    ownerOccupiedPct: 5 * i,
    medianHomeValue: null,
  }),
);
const ranks = rankSignals(ZIPS, AS_OF);
const input = (signal: WeightedInput['signal'], direction: 'higher' | 'lower', weight: number) => ({
  signal,
  direction,
  weight,
  reason: '',
});

describe('drivers of a score', () => {
  const inputs = [
    input('medianHouseholdIncome', 'higher', 0.3),
    input('medianAge', 'lower', 0.5),
    input('ownerOccupiedPct', 'higher', 0.2),
    input('medianHomeValue', 'higher', 0.1),
  ];

  it('are ordered by their effect, which depends on weight and direction', () => {
    expect(driversOf(inputs, ranks, 0, 5)).toEqual({
      lifts: ['Lower median age of residents than in 95% of ZIP codes'],
      lowers: [
        'Lower median household income than in 95% of ZIP codes',
        'Smaller share of households that own their home than in 95% of ZIP codes',
      ],
    });
    expect(driversOf(inputs, ranks, 10, 1)).toEqual({
      lifts: ['Higher median household income than in 95% of ZIP codes'],
      lowers: ['Higher median age of residents than in 95% of ZIP codes'],
    });
  });

  it('describe what a ZIP code has more or less of', () => {
    const counts = rankSignals(
      Array.from({ length: 11 }, (_, i) =>
        zip({ householdsTotal: 100 * (i + 1), medianAge: 50 + i }),
      ),
      AS_OF,
    );
    const both = [
      input('householdsTotal', 'higher', 0.5),
      input('medianAgeNear30To50', 'higher', 0.5),
    ];
    expect(driversOf(both, counts, 10, 1)).toEqual({
      lifts: ['More households than in 95% of ZIP codes'],
      lowers: ['Median age of residents farther from 30 to 50 than in 95% of ZIP codes'],
    });
    expect(driversOf(both, counts, 0, 1)).toEqual({
      lifts: ['Median age of residents nearer to 30 to 50 than in 95% of ZIP codes'],
      lowers: ['Fewer households than in 95% of ZIP codes'],
    });
  });

  it('exclude ranks near the middle and unknown signals', () => {
    expect(driversOf(inputs, ranks, 5, 5)).toEqual({ lifts: [], lowers: [] });
    expect(driversOf(inputs, ranks, 6, 5)).toEqual({ lifts: [], lowers: [] });
    expect(driversOf([inputs[3]!], ranks, 0, 5)).toEqual({ lifts: [], lowers: [] });
  });

  it('never claim that a ZIP code outranks all ZIP codes', () => {
    const many = rankSignals(
      Array.from({ length: 400 }, (_, i) => zip({ medianAge: i })),
      AS_OF,
    );
    const { lifts } = driversOf(VERTICALS[0]!.inputs, many, 399, 1);
    expect(lifts).toEqual(['Higher median age of residents than in 99% of ZIP codes']);
  });
});
