import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Demographics } from '../../../src/data/ingest/demographics.ts';
import { MIN_COVERAGE, scoreZips } from '../../../src/data/scoring/score.ts';
import { VERTICALS } from '../../../src/data/scoring/verticals.ts';
import { anyZip, anyZips, AS_OF, NO_BUILDINGS, zip } from './zips.ts';

const NOTHING: Partial<Demographics> = {
  ...NO_BUILDINGS,
  householdsTotal: null,
  medianHouseholdIncome: null,
  ownerOccupiedHouseholds: null,
  ownerOccupiedPct: null,
  medianHomeValue: null,
  medianAge: null,
};

const roofing = (...zips: Partial<Demographics>[]) => scoreZips(zips.map(zip), AS_OF).roofing;

describe('the scale', () => {
  test('a score is the percentage of scored ZIP codes that fit worse', () => {
    const incomes = Array.from({ length: 200 }, (_, i) => ({ medianHouseholdIncome: 30_000 + i }));
    const { score } = roofing(...incomes);
    expect([score[0], score[50], score[166], score[199]]).toEqual([0, 25, 83, 100]);
  });

  test('scores are integers from 0 to 100 or NaN, and coverage is always a share', () => {
    fc.assert(
      fc.property(anyZips, (zips) => {
        for (const { score, percentile, coverage } of Object.values(scoreZips(zips, AS_OF))) {
          for (let i = 0; i < zips.length; i++) {
            expect(coverage[i]).toBeGreaterThanOrEqual(0);
            expect(coverage[i]).toBeLessThanOrEqual(1);
            expect(Number.isNaN(score[i])).toBe(coverage[i] < MIN_COVERAGE);
            if (Number.isNaN(score[i])) continue;
            expect(score[i]).toBe(Math.round(100 * percentile[i]));
            expect(percentile[i]).toBeGreaterThan(0);
            expect(percentile[i]).toBeLessThan(1);
          }
        }
      }),
    );
  });

  test('the only ZIP code with a score gets 50', () => {
    expect(roofing({}).score[0]).toBe(50);
    expect([...roofing({ populationTotal: 0 }, {}).score]).toEqual([NaN, 50]);
  });

  test('an empty list of ZIP codes gives empty columns for every vertical', () => {
    const scores = scoreZips([], AS_OF);
    expect(Object.keys(scores)).toEqual(VERTICALS.map(({ slug }) => slug));
    for (const { score } of Object.values(scores)) expect(score).toHaveLength(0);
  });

  test('ZIP codes that fit equally get equal scores', () => {
    expect([...roofing({}, {}, {}).score]).toEqual([50, 50, 50]);
    fc.assert(
      fc.property(anyZips, anyZip, (others, twin) => {
        for (const { score } of Object.values(scoreZips([twin, ...others, twin], AS_OF))) {
          expect(score.at(-1)).toBe(score[0]);
        }
      }),
    );
  });

  test('sums that differ only by floating-point noise are equal', () => {
    // Gutters weights owners and detached houses equally but adds them one after the other.
    const owners = zip({ ownerOccupiedPct: 80, singleFamilyDetachedPct: 20 });
    const houses = zip({ ownerOccupiedPct: 20, singleFamilyDetachedPct: 80 });
    expect([...scoreZips([owners, houses], AS_OF).gutters.score]).toEqual([50, 50]);
  });
});

describe('scores depend only on order', () => {
  test('the order of the rows does not matter', () => {
    const permuted = anyZips.chain((zips) =>
      fc.tuple(
        fc.constant(zips),
        fc.shuffledSubarray([...zips.keys()], { minLength: zips.length }),
      ),
    );
    fc.assert(
      fc.property(permuted, ([zips, places]) => {
        const before = scoreZips(zips, AS_OF);
        const after = scoreZips(
          places.map((place) => zips[place]),
          AS_OF,
        );
        for (const { slug } of VERTICALS) {
          const moved = places.map((place) => before[slug].percentile[place]);
          expect([...after[slug].percentile]).toEqual(moved);
        }
      }),
    );
  });

  test.each([
    ['logarithms', Math.log1p],
    ['other units', (value: number) => 100 * value + 7],
    ['cubes', (value: number) => value ** 3],
  ])('an increasing transformation of a column does not matter: %s', (_, transform) => {
    const t = (value: number | null) => (value === null ? null : transform(value));
    fc.assert(
      fc.property(anyZips, (zips) => {
        const transformed = zips.map((zip) => ({
          ...zip,
          // so that the number of households doesn't decide whether the ZIP code has residents
          populationTotal: zip.populationTotal ?? 1,
          householdsTotal: t(zip.householdsTotal),
          ownerOccupiedHouseholds: t(zip.ownerOccupiedHouseholds),
          ownerOccupiedPct: t(zip.ownerOccupiedPct),
          medianHouseholdIncome: t(zip.medianHouseholdIncome),
          medianHomeValue: t(zip.medianHomeValue),
          singleFamilyDetachedPct: t(zip.singleFamilyDetachedPct),
        }));
        const plain = zips.map((zip) => ({ ...zip, populationTotal: zip.populationTotal ?? 1 }));
        expect(scoreZips(transformed, AS_OF)).toEqual(scoreZips(plain, AS_OF));
      }),
    );
  });
});

describe('unknown inputs', () => {
  test('a ZIP code without residents has no score and no coverage, and does not affect the others', () => {
    const { score, coverage } = roofing({}, { medianAge: 50 }, { populationTotal: 0 });
    expect([...score]).toEqual([25, 75, NaN]);
    expect(coverage[2]).toBe(0);
  });

  test('a ZIP code without any figures has no score', () => {
    for (const { score, coverage } of Object.values(scoreZips([zip(NOTHING), zip()], AS_OF))) {
      expect([...score]).toEqual([NaN, 50]);
      expect([...coverage]).toEqual([0, 1]);
    }
  });

  test('no ZIP code has a score if the country has no figures', () => {
    for (const { score } of Object.values(scoreZips([zip(NOTHING), zip(NOTHING)], AS_OF))) {
      expect([...score]).toEqual([NaN, NaN]);
    }
  });

  test('coverage is the weight of the known inputs', () => {
    const { coverage } = roofing({ medianHomeValue: null, medianAge: -666666666 }, NO_BUILDINGS);
    expect([...coverage]).toEqual([0.86, 0.67]);
  });

  test('a score needs inputs with half of the weight', () => {
    const half = { ...NO_BUILDINGS, medianAge: null, medianHomeValue: null };
    const less = { ...NO_BUILDINGS, medianHouseholdIncome: null, medianHomeValue: null };
    const { score, coverage } = scoreZips([zip(half), zip(less)], AS_OF).plumbing;
    expect([...coverage]).toEqual([0.5, 0.49]);
    expect([...score]).toEqual([50, NaN]);
  });

  test('a ZIP code with residents but no households, such as a prison, gets no score', () => {
    const prison = {
      ...NOTHING,
      populationTotal: 2_000,
      householdsTotal: 0,
      ownerOccupiedHouseholds: 0,
      medianAge: 38,
    };
    for (const { score } of Object.values(scoreZips([zip(prison), zip()], AS_OF))) {
      expect([...score]).toEqual([NaN, 50]);
    }
  });

  test('an unknown input counts like the known ones, neither as zero nor as average', () => {
    const rich = { medianHouseholdIncome: 200_000, medianHomeValue: 900_000 };
    const poor = { medianHouseholdIncome: 20_000, medianHomeValue: 90_000 };
    const { score } = scoreZips(
      [
        zip({ ...rich, householdsTotal: 9_000, medianHomeValue: null }),
        zip({ ...rich, householdsTotal: 8_000 }),
        zip({ ...poor, householdsTotal: 200 }),
        zip({ ...poor, householdsTotal: 100, medianHomeValue: null }),
      ],
      AS_OF,
    )['professional-services'];
    expect([...score]).toEqual([88, 63, 38, 13]);
  });

  test('a file without buildings scores every vertical by its other inputs', () => {
    const better = { medianHouseholdIncome: 120_000, ownerOccupiedPct: 50 };
    const scores = scoreZips([zip(NO_BUILDINGS), zip({ ...NO_BUILDINGS, ...better })], AS_OF);
    for (const { slug } of VERTICALS) {
      expect(scores[slug].coverage[0]).toBeGreaterThanOrEqual(0.66);
      expect([slug, ...scores[slug].score]).not.toContain(NaN);
    }
    expect([...scores['professional-services'].score]).toEqual([25, 75]);
    expect([...scores.moving.score]).toEqual([25, 75]);
  });

  test('a file without buildings does not increase the weight of volume', () => {
    // For gutters, volume (0.2) just outweighs income and value (0.19). Without buildings, those
    // two stand in for other propensity inputs and must outweigh volume.
    const many = { ownerOccupiedHouseholds: 9_000 };
    const rich = { medianHouseholdIncome: 120_000, medianHomeValue: 900_000 };
    const both = [many, rich];
    const complete = scoreZips(both.map(zip), AS_OF).gutters.score;
    const partial = scoreZips(
      both.map((changes) => zip({ ...NO_BUILDINGS, ...changes })),
      AS_OF,
    ).gutters.score;
    expect([...complete]).toEqual([75, 25]);
    expect([...partial]).toEqual([25, 75]);
  });
});
