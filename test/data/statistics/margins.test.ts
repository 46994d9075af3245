/**
 * Worked examples of the Census Bureau: "Understanding and Using American Community Survey Data: What All Data Users Need
 * to Know", chapters 7 and 8, and the examples in "Accuracy of the Data", which use table B12001 of 2006.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  differ,
  differenceOf,
  fractionalChange,
  proportionOf,
  ratioOf,
  scaled,
  standardError,
  sumOf,
  type Estimate,
} from '../../../src/data/statistics/margins.ts';

/** Never-married women in three counties of Virginia */
const FAIRFAX = { value: 135_173, margin: 3_860 };
const ARLINGTON = { value: 43_104, margin: 2_642 };
const ALEXANDRIA = { value: 24_842, margin: 1_957 };
const NEVER_MARRIED = { value: 203_119, margin: 5_070 };
/** All women there */
const WOMEN = { value: 630_498, margin: 831 };

/** People who were never married, United States, 2006 */
const MEN_2006 = { value: 39_401_560, margin: 99_234 };
const WOMEN_2006 = { value: 33_385_649, margin: 77_920 };

describe('the Census Bureau’s worked examples', () => {
  it('have the standard errors of published margins', () => {
    expect(standardError(MEN_2006.margin)).toBeCloseTo(60_325, -0.5);
    expect(standardError(WOMEN_2006.margin)).toBeCloseTo(47_368, -0.5);
  });

  it('have the margin of a sum over three counties', () => {
    const { value, margin } = sumOf([FAIRFAX, ARLINGTON, ALEXANDRIA]);
    expect(value).toBe(NEVER_MARRIED.value);
    expect(Math.round(margin)).toBe(NEVER_MARRIED.margin);
  });

  it('have the standard error of a sum over two groups, and its 90% interval', () => {
    const { value, margin } = sumOf([MEN_2006, WOMEN_2006]);
    expect(value).toBe(72_787_209);
    // The Bureau rounds the standard errors before it adds them.
    expect(Math.abs(standardError(margin) - 76_699)).toBeLessThan(2);
    expect(Math.abs(value - margin - 72_661_039)).toBeLessThan(3);
    expect(Math.abs(value + margin - 72_913_379)).toBeLessThan(3);
  });

  it('have the margin of a proportion', () => {
    const { value, margin } = proportionOf(NEVER_MARRIED, WOMEN)!;
    expect(value).toBeCloseTo(0.3222, 4);
    expect(margin).toBeCloseTo(0.008, 4);
  });

  it('have the standard errors of a percentage and a ratio', () => {
    const share = proportionOf(WOMEN_2006, sumOf([MEN_2006, WOMEN_2006]))!;
    expect(100 * share.value).toBeCloseTo(45.87, 2);
    expect(100 * standardError(share.margin)).toBeCloseTo(0.04, 2);
    const ratio = ratioOf(MEN_2006, WOMEN_2006)!;
    expect(ratio.value).toBeCloseTo(1.18, 2);
    expect(standardError(ratio.margin)).toBeCloseTo(0.00246, 5);
  });
});

describe('derived figures', () => {
  const estimate = fc.record({
    value: fc.integer({ min: 1, max: 200_000 }),
    margin: fc.integer({ min: 0, max: 5_000 }),
  });

  it('use the formula for ratios where a proportion’s has no root', () => {
    const [part, whole] = [
      { value: 95, margin: 1 },
      { value: 100, margin: 20 },
    ];
    expect(proportionOf(part, whole)).toEqual(ratioOf(part, whole));
  });

  it('count estimates of 0 once, with the largest margin', () => {
    const zeros = Array.from({ length: 50 }, (_, i) => ({ value: 0, margin: i === 7 ? 14 : 12 }));
    expect(sumOf([...zeros, { value: 100, margin: 30 }])).toEqual({
      value: 100,
      margin: Math.hypot(30, 14),
    });
  });

  it('have a change that is clear exactly if the two estimates differ', () => {
    fc.assert(
      fc.property(estimate, estimate, (from, to) => {
        const { value, margin } = differenceOf(from, to);
        expect(differ(from, to)).toBe(Math.abs(value / (margin / 1.645)) > 1.645);
        expect(differ(from, to)).toBe(differ(to, from));
      }),
      {
        examples: [
          [
            { value: 10, margin: 0 },
            { value: 10, margin: 0 },
          ],
        ],
      },
    );
  });

  it('have a fractional change that agrees with the difference and with other units', () => {
    fc.assert(
      fc.property(
        estimate,
        estimate,
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        (from, to, by) => {
          const change = fractionalChange(from, to)!;
          expect(change.value).toBeCloseTo((to.value - from.value) / from.value, 9);
          const other = fractionalChange(scaled(from, by), scaled(to, by))!;
          expect(other.value).toBeCloseTo(change.value, 6);
          expect(other.margin).toBeCloseTo(change.margin, 6);
        },
      ),
    );
  });

  it('have no fraction of nothing', () => {
    const [zero, some]: Estimate[] = [
      { value: 0, margin: 12 },
      { value: 40, margin: 10 },
    ];
    expect(fractionalChange(zero!, some!)).toBeNull();
    expect(proportionOf(zero!, zero!)).toBeNull();
  });
});
