/** Narrowing ZIPs down by what the census says of them. */
import type { Queryable } from '../db/database.ts';

/** Field of the contract's ZipDemographics -> its column. */
const COLUMNS = {
  populationTotal: 'population_total',
  householdsTotal: 'households_total',
  medianHouseholdIncome: 'median_household_income',
  ownerOccupiedHouseholds: 'owner_occupied_households',
  ownerOccupiedPct: 'owner_occupied_pct',
  medianHomeValue: 'median_home_value',
  singleFamilyDetachedPct: 'single_family_detached_pct',
  medianAge: 'median_age',
  medianYearBuilt: 'median_year_built',
  homeAgePre1980Pct: 'home_age_pre_1980_pct',
  homeAge19801999Pct: 'home_age_1980_1999_pct',
  homeAge2000PlusPct: 'home_age_2000_plus_pct',
} as const;

export type FilterField = keyof typeof COLUMNS;
export const FILTER_FIELDS = Object.keys(COLUMNS) as [FilterField, ...FilterField[]];

/** Both ends included; an end left out is open. */
export interface Range {
  min?: number | undefined;
  max?: number | undefined;
}

export type DemographicFilters = Partial<Record<FilterField, Range>>;

/**
 * Those of the ZIPs of which every filtered figure is known and within its range, in order. A figure
 * that the census does not tell is in no range.
 */
export async function filterByDemographics(
  db: Queryable,
  zips: readonly string[],
  filters: DemographicFilters,
): Promise<string[]> {
  const ranges = Object.entries(filters) as [FilterField, Range][];
  if (ranges.length === 0) return [...zips];
  // "between" of a null is not true, so what is unknown is left out.
  const conditions = ranges.map(
    ([field], i) =>
      `${COLUMNS[field]}::float8 between coalesce($${2 * i + 2}::float8, '-infinity')
       and coalesce($${2 * i + 3}::float8, 'infinity')`,
  );
  const rows = await db.query<{ zip: string }>(
    `select zip from zip_demographics where zip = any($1) and ${conditions.join(' and ')} order by zip`,
    [zips, ...ranges.flatMap(([, { min, max }]) => [min ?? null, max ?? null])],
  );
  return rows.map(({ zip }) => zip);
}
