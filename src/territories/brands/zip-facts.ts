/**
 * The facts that make up a territory's value, per ZIP code and in total: population, households, land, and scores.
 */
import type { Queryable } from '../../base/db/database.ts';
import { zipArray } from '../../base/db/zip-array.ts';
import { SQUARE_METERS_PER_SQUARE_MILE } from '../../base/spatial/miles.ts';

/** Facts about a ZIP code. Null means unknown. */
export interface ZipFacts {
  zip: string;
  /** Postal city */
  city: string | null;
  /** USPS code */
  state: string | null;
  /** Slug of the launched metro that contains it */
  metro: string | null;
  population: number | null;
  households: number | null;
  ownerOccupiedHouseholds: number | null;
  landAreaM2: number | null;
  /** 0..100 in the requested vertical */
  score: number | null;
}

/** Returns facts, sorted by ZIP code. ZIP codes that aren't in the database have nulls. */
export async function zipFacts(
  db: Queryable,
  zips: Iterable<string>,
  vertical: string | null,
): Promise<ZipFacts[]> {
  return db.query<ZipFacts>(
    `select ${ZIP_FACTS} from unnest($1::text[]) as wanted (zip) ${JOIN_FACTS} order by zip`,
    [zipArray(zips), vertical],
  );
}

/** SQL for the columns of `ZipFacts` */
export const ZIP_FACTS = `zip, city, state, metro_slug as metro, population_total as population,
  households_total as households, owner_occupied_households as "ownerOccupiedHouseholds",
  land_area_m2 as "landAreaM2", score`;

/** SQL that joins facts to rows with a column `zip`, by primary keys only. `$2` is the vertical. */
export const JOIN_FACTS = `left join zips using (zip)
  left join metro_counties using (county_fips)
  left join zip_demographics using (zip)
  left join (select zip, score from zip_scores where vertical = $2) s using (zip)`;

/** Sums over ZIP codes. Unknown figures count as 0. */
export type Sums = Record<keyof typeof SUMMANDS, number>;

const SUMMANDS = {
  zips: () => 1,
  population: ({ population }) => population ?? 0,
  households: ({ households }) => households ?? 0,
  ownerOccupiedHouseholds: (zip) => zip.ownerOccupiedHouseholds ?? 0,
  landAreaM2: ({ landAreaM2 }) => landAreaM2 ?? 0,
  scored: ({ score }) => (score === null ? 0 : 1),
  scores: ({ score }) => score ?? 0,
  weightedHouseholds: ({ households, score }) => (households ?? 0) * (score ?? 0),
} as const satisfies Record<string, (zip: ZipFacts) => number>;

/** SQL for the columns of `Sums` over rows of `ZipFacts` */
export const SUMS = `count(*)::int as zips,
  coalesce(sum(population), 0)::float8 as population,
  coalesce(sum(households), 0)::float8 as households,
  coalesce(sum("ownerOccupiedHouseholds"), 0)::float8 as "ownerOccupiedHouseholds",
  coalesce(sum("landAreaM2"), 0)::float8 as "landAreaM2",
  count(score)::int as scored,
  coalesce(sum(score), 0)::float8 as scores,
  coalesce(sum(households * score), 0)::float8 as "weightedHouseholds"`;

export async function sumsOfZips(
  db: Queryable,
  zips: Iterable<string>,
  vertical: string | null,
): Promise<Sums> {
  const [sums] = await db.query<Sums>(
    `select ${SUMS}
     from (select ${ZIP_FACTS} from unnest($1::text[]) as wanted (zip) ${JOIN_FACTS}) facts`,
    [zipArray(zips), vertical],
  );
  return sums!;
}

export const sumsOf = (facts: readonly ZipFacts[]): Sums =>
  mapSums((name) => facts.reduce((total, zip) => total + SUMMANDS[name](zip), 0));

export const addSums = (a: Sums, b: Sums): Sums => mapSums((name) => a[name] + b[name]);
export const subtractSums = (a: Sums, b: Sums): Sums => mapSums((name) => a[name] - b[name]);

const mapSums = (value: (name: keyof Sums) => number) =>
  Object.fromEntries(
    (Object.keys(SUMMANDS) as (keyof Sums)[]).map((name) => [name, value(name)]),
  ) as Sums;

export interface Totals {
  zips: number;
  population: number;
  households: number;
  ownerOccupiedHouseholds: number;
  landAreaSqMi: number;
  /** Mean of the known scores, to one decimal; null without scores */
  averageScore: number | null;
  /**
   * Households weighted by their ZIP code's score: 1,000 households with a score of 80 count as
   * 800. Rounded; null without scores.
   */
  opportunity: number | null;
}

export function totalsOf(sums: Sums): Totals {
  const { zips, population, households, ownerOccupiedHouseholds, landAreaM2, scored } = sums;
  return {
    zips,
    population,
    households,
    ownerOccupiedHouseholds,
    landAreaSqMi: tenths(landAreaM2 / SQUARE_METERS_PER_SQUARE_MILE),
    averageScore: scored === 0 ? null : tenths(sums.scores / scored),
    opportunity: scored === 0 ? null : Math.round(sums.weightedHouseholds / 100),
  };
}

/** Rounds to one decimal. */
export const tenths = (value: number): number => Math.round(10 * value) / 10;
