/** Made-up ZIP codes: an average one, and random ones for property tests. */
import * as fc from 'fast-check';
import { BUILT_DECADES, type Demographics } from '../../../src/data/ingest/demographics.ts';

export const AS_OF = 2023;

/** An average ZIP code with all figures known, except those that the test overrides. */
export function zip(changes: Partial<Demographics> = {}): Demographics {
  return {
    zip: '00000',
    populationTotal: 10_000,
    householdsTotal: 4_000,
    medianHouseholdIncome: 70_000,
    ownerOccupiedHouseholds: 2_400,
    ownerOccupiedPct: 60,
    medianHomeValue: 300_000,
    singleFamilyDetachedPct: 60,
    medianAge: 40,
    medianYearBuilt: 1985,
    homeAgePre1980Pct: 40,
    homeAge19801999Pct: 30,
    homeAge2000PlusPct: 30,
    homesByDecadeBuilt: BUILT_DECADES.map(() => 100),
    flags: {},
    ...changes,
  };
}

/** All homes from one decade, such as 1990. */
export function homesBuiltIn(decade: number): number[] {
  return BUILT_DECADES.map(({ from }) => (from === decade ? 1_000 : 0));
}

/** Without buildings, as in a file without B25024, B25034, and B25035. */
export const NO_BUILDINGS: Partial<Demographics> = {
  singleFamilyDetachedPct: null,
  medianYearBuilt: null,
  homeAgePre1980Pct: null,
  homeAge19801999Pct: null,
  homeAge2000PlusPct: null,
  homesByDecadeBuilt: null,
};

const numberOrNull = (max: number) => fc.option(fc.nat({ max }), { freq: 8 });

/** Small and large ranges, so that ties are common; any figure may be unknown. */
export const anyZip: fc.Arbitrary<Demographics> = fc
  .record({
    populationTotal: numberOrNull(50_000),
    householdsTotal: numberOrNull(20),
    medianHouseholdIncome: numberOrNull(250_001),
    ownerOccupiedHouseholds: numberOrNull(10_000),
    ownerOccupiedPct: numberOrNull(100),
    medianHomeValue: numberOrNull(2_000_001),
    singleFamilyDetachedPct: numberOrNull(100),
    medianAge: numberOrNull(90),
    homesByDecadeBuilt: fc.option(fc.array(fc.nat({ max: 9 }), { minLength: 10, maxLength: 10 })),
  })
  .map(zip);

export const anyZips = fc.array(anyZip, { minLength: 1, maxLength: 60 });
