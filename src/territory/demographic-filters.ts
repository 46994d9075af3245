/** Filtering ZIP codes by census figures. */
import type { Queryable } from '../db/database.ts';

/** Columns by field of the contract's ZipDemographics. */
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

/** Inclusive; a missing end is open. */
export interface Range {
  min?: number | undefined;
  max?: number | undefined;
}

export type DemographicFilters = Partial<Record<FilterField, Range>>;

/**
 * Returns the ZIP codes whose filtered figures are all within range, in order. An unknown figure is
 * in no range.
 */
export async function filterByDemographics(
  db: Queryable,
  zips: readonly string[],
  filters: DemographicFilters,
): Promise<string[]> {
  const ranges = Object.entries(filters) as [FilterField, Range][];
  if (ranges.length === 0) return [...zips];
  // "between" is not true for null, so unknown figures are excluded.
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
