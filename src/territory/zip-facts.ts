/**
 * The value of a territory: population, households, land, and scores, per ZIP code and in total.
 */
import type { Queryable } from '../db/database.ts';
import { SQUARE_METERS_PER_SQUARE_MILE } from './miles.ts';

/** Null means unknown. */
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

/** Returns facts in order. ZIP codes that aren't in the database are included, with nulls. */
export async function zipFacts(
  db: Queryable,
  zips: Iterable<string>,
  vertical: string | null,
): Promise<ZipFacts[]> {
  // Joins by primary keys only.
  return db.query<ZipFacts>(
    `select zip, city, state, metro_slug as metro, population_total as population,
       households_total as households, owner_occupied_households as "ownerOccupiedHouseholds",
       land_area_m2 as "landAreaM2", score
     from unnest($1::text[]) as wanted (zip)
     left join zips using (zip)
     left join metro_counties using (county_fips)
     left join zip_demographics using (zip)
     left join (select zip, score from zip_scores where vertical = $2) s using (zip)
     order by zip`,
    [[...zips], vertical],
  );
}

/** Sums count unknown figures as 0. */
export interface Totals {
  zips: number;
  population: number;
  households: number;
  ownerOccupiedHouseholds: number;
  landAreaSqMi: number;
  /** Mean of the known scores, to one decimal; null without any */
  averageScore: number | null;
  /**
   * Households weighted by their ZIP code's score: 1,000 households with a score of 80 count as
   * 800. Rounded; null without scores.
   */
  opportunity: number | null;
}

export function totalsOf(facts: readonly ZipFacts[]): Totals {
  const sum = (value: (zip: ZipFacts) => number | null) =>
    facts.reduce((total, zip) => total + (value(zip) ?? 0), 0);
  const scored = facts.filter(({ score }) => score !== null);
  const opportunity = sum(({ households, score }) => ((households ?? 0) * (score ?? 0)) / 100);
  return {
    zips: facts.length,
    population: sum(({ population }) => population),
    households: sum(({ households }) => households),
    ownerOccupiedHouseholds: sum((zip) => zip.ownerOccupiedHouseholds),
    landAreaSqMi: tenths(sum(({ landAreaM2 }) => landAreaM2) / SQUARE_METERS_PER_SQUARE_MILE),
    averageScore: scored.length === 0 ? null : tenths(sum(({ score }) => score) / scored.length),
    opportunity: scored.length === 0 ? null : Math.round(opportunity),
  };
}

/** Rounds to one decimal. */
export const tenths = (value: number): number => Math.round(10 * value) / 10;
