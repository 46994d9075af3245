import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { percentiles } from '../../src/scoring/percentile.ts';

const of = (...values: number[]) => [...percentiles(Float64Array.from(values))];

test('of four values, the lowest has percentile 1/8 and the highest 7/8', () => {
  expect(of(30, 10, 40, 20)).toEqual([0.625, 0.125, 0.875, 0.375]);
});

test('equal values share the middle of their ranks', () => {
  expect(of(5, 1, 5, 9)).toEqual([0.5, 0.125, 0.5, 0.875]);
  expect(of(7, 7, 7)).toEqual([0.5, 0.5, 0.5]);
  expect(of(0, -0)).toEqual([0.5, 0.5]);
});

test('an unknown value stays unknown and does not affect the others', () => {
  expect(of(10, NaN, 20)).toEqual([0.25, NaN, 0.75]);
  expect(of(NaN, NaN)).toEqual([NaN, NaN]);
  expect(of()).toEqual([]);
});

test('a single value is in the middle', () => {
  expect(of(NaN, 42)).toEqual([NaN, 0.5]);
});

test('matches a naive implementation of the definition', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 })), (values) => {
      const slow = values.map((value) => {
        const below = values.filter((other) => other < value).length;
        const equal = values.filter((other) => other === value).length;
        return (below + equal / 2) / values.length;
      });
      of(...values).forEach((percentile, i) => expect(percentile).toBeCloseTo(slow[i], 12));
    }),
  );
});
