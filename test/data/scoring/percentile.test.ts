import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { percentiles } from '../../../src/data/scoring/percentile.ts';

const percentilesOf = (...values: number[]) => [...percentiles(Float64Array.from(values))];

test('the lowest of four values has percentile 1/8 and the highest 7/8', () => {
  expect(percentilesOf(30, 10, 40, 20)).toEqual([0.625, 0.125, 0.875, 0.375]);
});

test('equal values share the middle of their ranks', () => {
  expect(percentilesOf(5, 1, 5, 9)).toEqual([0.5, 0.125, 0.5, 0.875]);
  expect(percentilesOf(7, 7, 7)).toEqual([0.5, 0.5, 0.5]);
  expect(percentilesOf(0, -0)).toEqual([0.5, 0.5]);
});

test('an unknown value stays unknown and does not affect the others', () => {
  expect(percentilesOf(10, NaN, 20)).toEqual([0.25, NaN, 0.75]);
  expect(percentilesOf(NaN, NaN)).toEqual([NaN, NaN]);
  expect(percentilesOf()).toEqual([]);
});

test('a single value is in the middle', () => {
  expect(percentilesOf(NaN, 42)).toEqual([NaN, 0.5]);
});

test('percentiles match a naive implementation of the definition', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 })), (values) => {
      const slow = values.map((value) => {
        const below = values.filter((other) => other < value).length;
        const equal = values.filter((other) => other === value).length;
        return (below + equal / 2) / values.length;
      });
      percentilesOf(...values).forEach((percentile, i) =>
        expect(percentile).toBeCloseTo(slow[i], 12),
      );
    }),
  );
});
