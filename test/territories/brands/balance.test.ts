import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balanceOf } from '../../../src/territories/brands/balance.ts';

describe('balance', () => {
  it('compares each total with the mean, in percent and as an index', () => {
    const totals = [
      { id: 'large', total: 250 },
      { id: 'mean', total: 100 },
      { id: 'less', total: 50 },
      { id: 'none', total: 0 },
    ];
    expect(balanceOf(totals)).toEqual({
      mean: 100,
      territories: [
        { id: 'large', total: 250, deviationPct: 150, index: 0 },
        { id: 'mean', total: 100, deviationPct: 0, index: 100 },
        { id: 'less', total: 50, deviationPct: -50, index: 50 },
        { id: 'none', total: 0, deviationPct: -100, index: 0 },
      ],
    });
  });

  it('is even without territories and for totals of 0', () => {
    expect(balanceOf([{ id: 'a', total: 0 }]).territories[0]).toMatchObject({
      deviationPct: 0,
      index: 100,
    });
    expect(balanceOf([])).toEqual({ mean: 0, territories: [] });
  });

  it('has indexes from 0 to 100, and deviations that cancel each other out', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1e6 }), { minLength: 1 }), (numbers) => {
        const { territories } = balanceOf(numbers.map((total, id) => ({ id, total })));
        const sum = territories.reduce((all, { deviationPct }) => all + deviationPct, 0);
        // Each index is rounded to a tenth.
        expect(Math.abs(sum)).toBeLessThanOrEqual(0.05 * numbers.length + 1e-6);
        for (const { index } of territories) {
          expect(index).toBeGreaterThanOrEqual(0);
          expect(index).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});
