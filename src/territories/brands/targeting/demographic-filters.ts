/** Filters ZIP codes by census figures. */
import type { Queryable } from '../../../base/db/database.ts';
import { CENSUS_FIGURES } from '../../../data/ingest/demographics.ts';
import { COLUMN_OF, readDemographics } from '../../../data/ingest/demographics-store.ts';

export const FILTER_FIELDS = CENSUS_FIGURES;
export type FilterField = (typeof FILTER_FIELDS)[number];

/** Inclusive range. A missing end is open. */
export interface Range {
  min?: number | undefined;
  max?: number | undefined;
}

type DemographicFilters = Partial<Record<FilterField, Range>>;

/** Returns whether a value is within a range. An unknown value is in no range. */
export const isWithin = (value: number | null, { min = -Infinity, max = Infinity }: Range) =>
  value !== null && value >= min && value <= max;

/**
 * Returns the ZIP codes whose filtered figures are all within range, sorted. An unknown figure is in no range.
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
      `${COLUMN_OF[field]}::float8 between coalesce($${2 * i + 2}::float8, '-infinity')
       and coalesce($${2 * i + 3}::float8, 'infinity')`,
  );
  const rows = await db.query<{ zip: string }>(
    `select zip from zip_demographics where zip = any($1) and ${conditions.join(' and ')} order by zip`,
    [zips, ...ranges.flatMap(([, { min, max }]) => [min, max])],
  );
  return rows.map(({ zip }) => zip);
}

/** Reads some figures of ZIP codes. Unknown figures are null. */
export async function readFigures(
  db: Queryable,
  zips: readonly string[],
  fields: readonly FilterField[],
): Promise<(zip: string) => Partial<Record<FilterField, number | null>>> {
  const rows = fields.length === 0 ? [] : await readDemographics(db, zips);
  const rowOf = new Map(rows.map((row) => [row.zip, row]));
  return (zip) =>
    Object.fromEntries(fields.map((field) => [field, rowOf.get(zip)?.[field] ?? null]));
}
