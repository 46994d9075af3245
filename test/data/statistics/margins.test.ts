/**
 * Worked examples of the Census Bureau: "Understanding and Using American Community Survey Data: What All Data Users Need
 * to Know", chapters 7 and 8, with the numbers of tables and examples of its editions of 2018 and 2020; the examples in
 * "Accuracy of the Data", which use table B12001 of 2006; and its webinar on margins of error of 2016.
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
/** All women there: 466,037 ±391, 97,360 ±572, and 67,101 ±459 (table 8.4) */
const WOMEN = { value: 630_498, margin: 831 };
/** Never-married men there (table 8.5) */
const NEVER_MARRIED_MEN = [
  { value: 156_720, margin: 4_222 },
  { value: 44_613, margin: 2_819 },
  { value: 25_507, margin: 2_259 },
];

/** Households of Loudoun County with incomes in ranges, in the groups of example 2 (tables 8.2 and 8.3) */
const INCOME_GROUPS = [
  {
    parts: [
      [1_502, 743],
      [1_995, 722],
    ],
    value: 3_497,
    margin: 1_036,
    standardError: 630,
  },
  {
    parts: [
      [1_756, 685],
      [1_781, 631],
    ],
    value: 3_537,
    margin: 931,
    standardError: 566,
  },
  {
    parts: [
      [2_708, 1_007],
      [1_981, 647],
      [2_581, 996],
    ],
    value: 7_270,
    margin: 1_557,
    standardError: 947,
  },
];

/** Percentages of states (chapter 7, formula 3) */
const FLORIDA = { value: 12.6, margin: 0.2 };
const ARIZONA = { value: 10.5, margin: 0.3 };
const INDIANA = { value: 10.8, margin: 0.2 };

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

  it.each(INCOME_GROUPS)('have ±$margin for a sum of $value households', (group) => {
    const sum = sumOf(group.parts.map(([value, margin]) => ({ value: value!, margin: margin! })));
    expect(sum.value).toBe(group.value);
    expect(Math.round(sum.margin)).toBe(group.margin);
    expect(Math.round(standardError(sum.margin))).toBe(group.standardError);
  });

  it('have a sum in which only the largest margin of estimates of 0 counts', () => {
    const zeros = [27, 29, 29].map((margin) => ({ value: 0, margin }));
    expect(Math.round(sumOf([{ value: 36, margin: 56 }, ...zeros]).margin)).toBe(63);
  });

  it('have the margin of a proportion', () => {
    const { value, margin } = proportionOf(NEVER_MARRIED, WOMEN)!;
    expect(value).toBeCloseTo(0.3222, 4);
    expect(margin).toBeCloseTo(0.008, 4);
    expect(100 * standardError(margin)).toBeCloseTo(0.488, 3);
  });

  it('have the margin of a ratio', () => {
    const men = sumOf(NEVER_MARRIED_MEN);
    expect(men.value).toBe(226_840);
    expect(Math.round(men.margin)).toBe(5_557);
    const { value, margin } = ratioOf(men, NEVER_MARRIED)!;
    expect(value).toBeCloseTo(1.117, 3);
    expect(margin).toBeCloseTo(0.039, 3);
    expect(standardError(margin)).toBeCloseTo(0.024, 3);
  });

  it('have the z-values of two differences between states, of which one is significant', () => {
    const z = (from: Estimate, to: Estimate) => {
      const { value, margin } = differenceOf(from, to);
      return value / standardError(margin);
    };
    expect(z(ARIZONA, FLORIDA)).toBeCloseTo(9.581, 3);
    expect(differ(ARIZONA, FLORIDA)).toBe(true);
    expect(z(ARIZONA, INDIANA)).toBeCloseTo(1.369, 3);
    expect(differ(ARIZONA, INDIANA)).toBe(false);
  });

  /**
   * The Bureau's formula has no worked example. The later figure and the result are those with which the Los Angeles
   * Times checks its census-data-aggregator.
   */
  it('have a formula for the margin of a percent change', () => {
    const change = fractionalChange(FAIRFAX, { value: 139_301, margin: 4_047 })!;
    expect(100 * change.value).toBeCloseTo(3.0538643, 7);
    expect(100 * change.margin).toBeCloseTo(4.1980699, 7);
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

  it('never have a share without a margin where the whole has one', () => {
    const all = { value: 500, margin: 60 };
    expect(proportionOf(all, all)).toEqual(ratioOf(all, all));
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
