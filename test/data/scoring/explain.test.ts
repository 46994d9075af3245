import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainScore } from '../../../src/data/scoring/explain.ts';
import { scoreZips } from '../../../src/data/scoring/score.ts';
import { rankSignals } from '../../../src/data/scoring/signals.ts';
import { VERTICALS, verticalBySlug } from '../../../src/data/scoring/verticals.ts';
import { anyZips, AS_OF, zip } from './zips.ts';

const numberZips = (zips: readonly ReturnType<typeof zip>[]) =>
  zips.map((one, i) => ({ ...one, zip: String(i).padStart(5, '0') }));

const nationOf = (zips: readonly ReturnType<typeof zip>[]) => ({
  rowOf: new Map(zips.map(({ zip }, row) => [zip, row])),
  ranks: rankSignals(zips, AS_OF),
  asOfYear: AS_OF,
});

test('the points of the signals add up to the mean, and the score is the published one', () => {
  fc.assert(
    fc.property(anyZips, fc.constantFrom(...VERTICALS), (made, { slug, inputs }) => {
      const zips = numberZips(made);
      const { score } = scoreZips(zips, AS_OF)[slug];
      for (const [row, one] of zips.entries()) {
        const explained = explainScore(inputs, nationOf(zips), one);
        expect(explained.score ?? NaN).toBe(score[row]);
        const points = explained.signals.reduce((sum, signal) => sum + (signal.points ?? 0), 0);
        expect(points).toBeCloseTo(explained.mean ?? 0, 6);
        for (const { scoreAtBest, percentile } of explained.signals) {
          if (scoreAtBest === null) continue;
          expect(scoreAtBest).toBeGreaterThanOrEqual(explained.score!);
          expect(percentile).not.toBeNull();
        }
      }
    }),
  );
});

test('says what the score would be with another value, and lists the largest gain first', () => {
  // Incomes from the lowest to the highest; everything else is equal.
  const zips = numberZips(Array.from({ length: 101 }, (_, i) => zip({ medianHouseholdIncome: i })));
  const { inputs } = verticalBySlug('roofing');
  const { score, signals } = explainScore(inputs, nationOf(zips), zips[20]!);
  expect(score).toBe(20);
  expect(signals[0]!.signal).toBe('ownerOccupiedHouseholds');
  expect(signals.find(({ signal }) => signal === 'medianHouseholdIncome')).toMatchObject({
    value: 20,
    unit: 'dollars',
    weight: 0.08,
    better: 'higher',
    percentile: expect.closeTo(20.3, 1),
    scoreAtMedian: 50,
    scoreAtBest: 100,
  });
  expect(signals.find(({ signal }) => signal === 'homesAged15To30')).toMatchObject({
    value: expect.closeTo(16, -1),
    unit: 'percent',
    percentile: 50,
    scoreAtMedian: 20,
  });
});

test('explains no score of a ZIP code without enough data', () => {
  const unknown = zip({ zip: '00000', householdsTotal: null, ownerOccupiedHouseholds: null });
  const zips = [{ ...unknown, populationTotal: 0 }, zip({ zip: '00001' })];
  const explained = explainScore(verticalBySlug('hvac').inputs, nationOf(zips), zips[0]!);
  expect(explained).toMatchObject({ score: null, mean: null });
  for (const { value, percentile, points, scoreAtBest } of explained.signals) {
    expect([value, percentile, points, scoreAtBest]).toEqual([null, null, null, null]);
  }
});
