import { describe, expect, it } from 'vitest';
import { NO_LINES, type Line, type LineValues } from '../../../src/data/ingest/vintages/lines.ts';
import {
  differenceOf,
  fractionalChange,
  proportionOf,
} from '../../../src/data/statistics/margins.ts';
import { inflation } from '../../../src/data/statistics/prices.ts';
import { apportioned, isUnchanged } from '../../../src/data/vintages/areas.ts';
import { changeOf, type Pair } from '../../../src/data/vintages/change.ts';

type Lines = Partial<Record<Line, [value: number, margin: number]>>;

const lines = (given: Lines): LineValues => ({
  ...NO_LINES,
  ...Object.fromEntries(
    Object.entries(given as Record<string, [number, number]>).map(([line, [value, margin]]) => [
      line,
      { value, margin },
    ]),
  ),
});
const pair = (before: Lines, after: Lines, areaChanged = false): Pair => ({
  before: lines(before),
  after: lines(after),
  areaChanged,
});
const SPAN = { fromYear: 2018, toYear: 2023 };

describe('the change of a figure', () => {
  it('of a count is in percent, with the margin of the ratio', () => {
    const change = changeOf(
      'householdsTotal',
      [pair({ households: [10_000, 250] }, { households: [11_000, 260] })],
      SPAN,
    );
    const expected = fractionalChange(
      { value: 10_000, margin: 250 },
      { value: 11_000, margin: 260 },
    )!;
    expect(change).toMatchObject({
      unit: 'percent',
      from: 10_000,
      to: 11_000,
      isClear: true,
      why: null,
    });
    expect(change.change).toBeCloseTo(10, 9);
    expect(change.margin).toBeCloseTo(100 * expected.margin, 9);
  });

  it('isn’t clear within its margin', () => {
    const change = changeOf(
      'householdsTotal',
      [pair({ households: [1_000, 120] }, { households: [1_050, 110] })],
      SPAN,
    );
    expect(change).toMatchObject({ isClear: false, why: null });
    expect(change.change).toBeCloseTo(5, 9);
  });

  it('of a share is in percentage points', () => {
    const change = changeOf(
      'ownerOccupiedPct',
      [
        pair(
          { households: [1_000, 40], owners: [600, 50] },
          { households: [1_200, 40], owners: [600, 50] },
        ),
      ],
      SPAN,
    );
    const [before, after] = [1_000, 1_200].map((whole) =>
      proportionOf({ value: 600, margin: 50 }, { value: whole, margin: 40 })!,
    );
    expect(change).toMatchObject({ unit: 'points', from: 60, to: 50 });
    expect(change.change).toBeCloseTo(-10, 9);
    expect(change.margin).toBeCloseTo(100 * differenceOf(before!, after!).margin, 9);
  });

  it('of dollars is after inflation', () => {
    const change = changeOf(
      'medianHouseholdIncome',
      [pair({ medianIncome: [50_000, 1_000] }, { medianIncome: [60_000, 1_000] })],
      SPAN,
    );
    const factor = 449.3 / 369.1;
    expect(inflation(2018, 2023)).toBeCloseTo(factor, 12);
    expect(change.from).toBeCloseTo(50_000 * factor, 6);
    expect(change.change).toBeCloseTo(100 * (60_000 / (50_000 * factor) - 1), 9);
  });

  it('of dollars is unknown for years whose prices aren’t known', () => {
    const pairs = [pair({ medianIncome: [50_000, 1_000] }, { medianIncome: [60_000, 1_000] })];
    expect(
      changeOf('medianHouseholdIncome', pairs, { fromYear: 2023, toYear: 2031 }),
    ).toMatchObject({ change: null, why: 'prices' });
  });

  it('of several ZIP codes adds counts, and leaves out those that one period lacks', () => {
    const pairs = [
      pair({ households: [1_000, 30] }, { households: [1_100, 40] }),
      pair({ households: [2_000, 40] }, { households: [2_000, 30] }),
      pair({}, { households: [900, 30] }),
    ];
    const change = changeOf('householdsTotal', pairs, SPAN);
    expect(change).toMatchObject({ from: 3_000, to: 3_100 });
    expect(changeOf('medianAge', pairs, SPAN)).toMatchObject({ change: null, why: 'median' });
  });

  it('is unknown without a margin, without an earlier period, and for medians of another area', () => {
    const noMargin = pair({ households: [1_000, 30] }, {});
    noMargin.after.households = { value: 900, margin: null };
    expect(changeOf('householdsTotal', [noMargin], SPAN)).toMatchObject({ why: 'unknown' });
    expect(changeOf('householdsTotal', [], null)).toMatchObject({ why: 'period', fromYear: null });
    const ages: Lines = { medianAge: [40, 1] };
    expect(changeOf('medianAge', [pair(ages, ages, true)], SPAN)).toMatchObject({ why: 'area' });
    expect(changeOf('medianAge', [pair(ages, ages)], SPAN)).toMatchObject({ change: 0, why: null });
  });
});

describe('areas of 2010 and 2020', () => {
  const part = (zip2010: string, shareOf2010: number, shareOf2020: number) => ({
    zip2010,
    zip2020: '75201',
    shareOf2010,
    shareOf2020,
    weight: shareOf2010,
  });

  it('are the same if their common land is nearly all of both', () => {
    expect(isUnchanged('75201', [part('75201', 0.995, 0.999), part('75202', 0.0001, 0.001)])).toBe(
      true,
    );
    expect(isUnchanged('75201', [part('75201', 0.6, 1)])).toBe(false);
    expect(isUnchanged('75201', [part('75202', 1, 1)])).toBe(false);
  });

  it('divide counts by land, and no medians', () => {
    const of2010: Record<string, LineValues> = {
      '75201': lines({ households: [1_000, 100], medianAge: [40, 1] }),
      '75270': lines({ households: [200, 40], medianAge: [30, 1] }),
    };
    const both = apportioned(
      [part('75201', 0.5, 0.5), part('75270', 1, 0.5)],
      (zip) => of2010[zip],
    );
    expect(both.households).toEqual({ value: 700, margin: Math.hypot(50, 40) });
    expect(both.medianAge).toEqual({ value: null, margin: null });
    expect(apportioned([part('75299', 1, 1)], (zip) => of2010[zip]).households.value).toBeNull();
  });
});
