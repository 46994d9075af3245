import { Delaunay } from 'd3-delaunay';
import { describe, expect, it } from 'vitest';
import {
  BUILT_DECADES,
  type Demographics,
  type Signal,
} from '../../../../src/data/ingest/demographics.ts';
import { sampleDemographics } from '../../../../src/data/ingest/sample/demographics.ts';
import { gazetteer } from '../../../../src/data/ingest/sample/gazetteer.ts';
import { digestOf } from './digest.ts';

const points = gazetteer();
const zips = points.map(({ zip }) => zip);
const nation = sampleDemographics(zips);
const inhabited = nation.filter(({ householdsTotal }) => householdsTotal! > 0);

const sum = (values: Iterable<number | null>) =>
  [...values].reduce<number>((a, b) => a + (b ?? 0), 0);
const total = (signal: Signal) => sum(nation.map((row) => row[signal] as number | null));

/** Returns the value below which `share` of the known values lie. */
function quantile(signal: Signal, share: number): number {
  const values = nation
    .map((row) => row[signal] as number | null)
    .filter((value) => value !== null);
  return values.sort((a, b) => a - b)[Math.floor(share * (values.length - 1))]!;
}

describe('the sample demographics', () => {
  it('have one row for every requested ZIP code, in order', () => {
    expect(nation.map(({ zip }) => zip)).toEqual(zips);
    expect(sampleDemographics(['75201', '10025'])).toEqual([
      nation[zips.indexOf('75201')],
      nation[zips.indexOf('10025')],
    ]);
    expect(() => sampleDemographics(['00000'])).toThrow('00000');
  });

  it('are the same on every run', () => {
    expect(digestOf(nation)).toBe(
      '6662df8cb394bfd61d14d9f5efded0d54b804491d9a571affe7659ce3d5357e9',
    );
  });

  it('add up to the nation', () => {
    expect(total('populationTotal')).toBeGreaterThan(334e6);
    expect(total('populationTotal')).toBeLessThan(336e6);
    expect(total('populationTotal') / total('householdsTotal')).toBeCloseTo(2.5, 1);
    expect(total('ownerOccupiedHouseholds') / total('householdsTotal')).toBeCloseTo(0.66, 1);
  });

  it.each<[Signal, number, number, number, number]>([
    // 1% of the ZIP codes are below values of the first pair, and 1% above those of the second
    ['medianHouseholdIncome', 15_000, 40_000, 125_000, 250_000],
    ['medianHomeValue', 40_000, 120_000, 700_000, 2_000_000],
    ['ownerOccupiedPct', 20, 60, 85, 98],
    ['singleFamilyDetachedPct', 5, 50, 85, 99],
    ['medianAge', 25, 36, 46, 60],
    ['medianYearBuilt', 1939, 1965, 1990, 2015],
    ['populationTotal', 0, 1000, 40_000, 80_000],
  ])('has a plausible range of %s', (signal, lowFrom, lowTo, highFrom, highTo) => {
    expect(quantile(signal, 0.01)).toBeGreaterThanOrEqual(lowFrom);
    expect(quantile(signal, 0.01)).toBeLessThanOrEqual(lowTo);
    expect(quantile(signal, 0.99)).toBeGreaterThanOrEqual(highFrom);
    expect(quantile(signal, 0.99)).toBeLessThanOrEqual(highTo);
  });

  it('have shares that match the counts', () => {
    const wrong = inhabited.filter((row) => {
      const { ownerOccupiedHouseholds: owners, householdsTotal: households } = row;
      const isShare = Math.abs(row.ownerOccupiedPct! - (100 * owners!) / households!) < 0.051;
      return !(isShare && owners! <= households! && households! <= row.populationTotal!);
    });
    expect(wrong).toEqual([]);
  });

  it('have consistent home ages', () => {
    const wrong = inhabited.filter((row) => {
      const homes = row.homesByDecadeBuilt!;
      const [old, mid, young] = [
        row.homeAgePre1980Pct!,
        row.homeAge19801999Pct!,
        row.homeAge2000PlusPct!,
      ];
      const pct = (from: number, to: number) => (100 * sum(homes.slice(from, to))) / sum(homes);
      return !(
        homes.length === BUILT_DECADES.length &&
        Math.abs(old - pct(0, 5)) < 0.051 &&
        Math.abs(young - pct(7, 10)) < 0.051 &&
        Math.abs(old + mid + young - 100) < 5e-7 &&
        (row.medianYearBuilt === null || isMedian(row.medianYearBuilt, homes))
      );
    });
    expect(wrong).toEqual([]);
  });

  it('include uninhabited places, without shares and medians', () => {
    const empty = nation.filter(({ populationTotal }) => populationTotal === 0);
    expect(empty.length).toBeGreaterThan(50);
    for (const row of empty) {
      expect(row.householdsTotal).toBe(0);
      expect(row.ownerOccupiedPct).toBeNull();
      expect(row.medianHouseholdIncome).toBeNull();
      expect(row.homesByDecadeBuilt).toBeNull();
    }
  });

  it('have the flags that the Census Bureau would set', () => {
    const flagged = (signal: Signal, flag: string) =>
      nation.filter(({ flags }) => flags[signal] === flag);
    expect(flagged('medianHomeValue', 'suppressed').length).toBeGreaterThan(100);
    expect(flagged('medianHouseholdIncome', 'low-reliability').length).toBeGreaterThan(100);
    expect(flagged('medianHouseholdIncome', 'top-coded').length).toBeGreaterThan(3);
    const wrong = nation.filter((row) => {
      const { medianHouseholdIncome: income, medianHomeValue: value, flags } = row;
      return !(
        (income === 250_001) === isTopCoded(row, 'medianHouseholdIncome') &&
        (value === 2_000_001) === isTopCoded(row, 'medianHomeValue') &&
        Object.entries(flags).every(
          ([signal, flag]) => (row[signal as Signal] === null) === (flag === 'suppressed'),
        )
      );
    });
    expect(wrong).toEqual([]);
  });

  it.each<Signal>([
    'medianHouseholdIncome',
    'medianHomeValue',
    'ownerOccupiedPct',
    'medianYearBuilt',
  ])('have a %s similar to that of the neighbors', (signal) => {
    const delaunay = Delaunay.from(
      points,
      (point) => point.lng,
      (point) => point.lat,
    );
    const pairs = nation.flatMap((row, i) =>
      [...delaunay.neighbors(i)].map((j) => [row[signal], nation[j]![signal]]),
    ) as [number | null, number | null][];
    expect(
      correlation(pairs.filter((pair): pair is [number, number] => !pair.includes(null))),
    ).toBeGreaterThan(0.4);
  });

  it('have older homes in the Northeast than in the Sun Belt', () => {
    const pre1980 = (prefix: string) => {
      const rows = inhabited.filter(({ zip }) => zip.startsWith(prefix));
      return sum(rows.map((row) => row.homeAgePre1980Pct)) / rows.length;
    };
    expect(pre1980('12')).toBeGreaterThan(pre1980('75') + 10);
  });
});

const isTopCoded = ({ flags }: Demographics, signal: Signal) => flags[signal] === 'top-coded';

/** At most half of the homes are from earlier decades, and at most half from later ones. */
function isMedian(year: number, homes: readonly number[]): boolean {
  const decade = BUILT_DECADES.findIndex(({ from, to }) => year >= from && year <= to);
  const half = sum(homes) / 2;
  return sum(homes.slice(0, decade)) <= half && sum(homes.slice(decade + 1)) <= half;
}

function correlation(pairs: readonly [number, number][]): number {
  const mean = (side: 0 | 1) => sum(pairs.map((pair) => pair[side])) / pairs.length;
  const [meanA, meanB] = [mean(0), mean(1)];
  const moment = (f: (a: number, b: number) => number) =>
    sum(pairs.map(([a, b]) => f(a - meanA, b - meanB)));
  return moment((a, b) => a * b) / Math.sqrt(moment((a) => a * a) * moment((_, b) => b * b));
}
