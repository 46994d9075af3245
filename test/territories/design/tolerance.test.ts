import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedDeviation, defaultTolerance } from '../../../src/territories/design/tolerance.ts';

const loads = fc
  .array(fc.double({ min: 1, max: 100, noNaN: true }), { minLength: 2, maxLength: 30 })
  .map((one) => Float64Array.from(one));
const counts = fc.integer({ min: 2, max: 40 });
const repeat = (one: Float64Array, times: number) =>
  Float64Array.from({ length: times * one.length }, (_, at) => one[at % one.length]!);

describe('the default tolerance', () => {
  it('changes little with one more ZIP code', () => {
    fc.assert(
      fc.property(loads, counts, fc.integer({ min: 1, max: 200 }), (one, count, times) => {
        const all = repeat(one, times);
        const mean = one.reduce((sum, load) => sum + load, 0) / one.length;
        const more = Float64Array.of(...all, mean);
        const step = defaultTolerance(count, more) / defaultTolerance(count, all);
        // One ZIP code changes the number of them by this factor, and their evenness by at most as much.
        expect(Math.abs(Math.log(step))).toBeLessThan(4 * Math.log(1 + 1 / all.length));
      }),
    );
  });

  it('falls with the number of ZIP codes, and allows what the goals do', () => {
    fc.assert(
      fc.property(loads, counts, fc.integer({ min: 1, max: 200 }), (one, count, times) => {
        const all = repeat(one, times);
        const tolerance = defaultTolerance(count, all);
        expect(defaultTolerance(count, repeat(one, times + 1))).toBeLessThanOrEqual(tolerance);
        expect(tolerance).toBeGreaterThan(0);
        const perTerritory = all.length / count;
        const goal = perTerritory >= 30 ? 0.01 : perTerritory >= 10 ? 0.03 : Infinity;
        expect(tolerance).toBeLessThanOrEqual(goal);
      }),
    );
  });

  it('is only an aim: a deviation of 1% is always allowed', () => {
    const many = new Float64Array(4000).fill(1);
    expect(defaultTolerance(4, many)).toBeLessThan(0.01);
    expect(allowedDeviation(4, many)).toBe(0.01);
    const few = new Float64Array(40).fill(1);
    expect(defaultTolerance(4, few)).toBeGreaterThan(0.01);
    expect(allowedDeviation(4, few)).toBe(defaultTolerance(4, few));
  });
});
