/**
 * ZIP codes ranked by a vertical's score: the whole list, in pages, for callers with a credential. For the
 * public sample, see `public/ranking.ts`.
 */
import { z } from 'zod';
import type { Queryable } from '../../base/db/database.ts';
import {
  pageOf,
  rowsToRead,
  startAfter,
  type Page,
  type PageRequest,
} from '../../base/contract/paging.ts';

export interface RankedZipRow {
  zip: string;
  city: string | null;
  /** USPS code */
  state: string | null;
  /** 0..100 */
  score: number;
  /** Rank among the requested ZIP codes; 1 is the best */
  rank: number;
  households: number | null;
  ownerOccupiedPct: number | null;
  /** Dollars */
  medianHouseholdIncome: number | null;
  /** Dollars */
  medianHomeValue: number | null;
}

interface RankedPage extends Page<RankedZipRow> {
  /** Number of ZIP codes on all pages */
  total: number;
}

/** Position in the ranking: unrounded score, then ZIP code. */
const Key = z.tuple([z.number(), z.string()]);

/** @throws ServiceError 400 for an invalid cursor */
export async function rankZips(
  db: Queryable,
  {
    zips,
    vertical,
    minScore = 0,
  }: { zips: readonly string[]; /** Slug */ vertical: string; minScore?: number | undefined },
  page: PageRequest = {},
): Promise<RankedPage> {
  const [percentile, zip] = startAfter(page, Key) ?? [null, null];
  // All joins use primary keys; a metro has a few hundred ZIP codes.
  const rows = await db.query<RankedZipRow & { percentile: number; total: number }>(
    `with ranked as (
       select zip, score, percentile,
         row_number() over (order by percentile desc, zip)::int as rank,
         (count(*) filter (where score >= $3) over ())::int as total
       from zip_scores join zips using (zip)
       where zip = any($1) and vertical = $2 and score is not null
     )
     select r.zip, z.city, z.state, r.score, r.rank, r.percentile, r.total,
       d.households_total as households, d.owner_occupied_pct as "ownerOccupiedPct",
       d.median_household_income as "medianHouseholdIncome",
       d.median_home_value as "medianHomeValue"
     from ranked r join zips z using (zip) left join zip_demographics d using (zip)
     where score >= $3
       and ($4::float8 is null or r.percentile < $4 or (r.percentile = $4 and r.zip > $5))
     order by r.percentile desc, r.zip
     limit $6`,
    [zips, vertical, minScore, percentile, zip, rowsToRead(page)],
  );
  const { rows: pageRows, nextCursor } = pageOf(rows, page, (row) => [row.percentile, row.zip]);
  return {
    rows: pageRows.map(({ percentile: _percentile, total: _total, ...row }) => row),
    total: rows[0]?.total ?? 0,
    nextCursor,
  };
}

/** Returns the ZIP codes without a score for the vertical, sorted. */
export async function zipsWithoutScore(
  db: Queryable,
  zips: readonly string[],
  vertical: string,
): Promise<string[]> {
  const rows = await db.query<{ zip: string }>(
    `select zip from unnest($1::text[]) as requested (zip)
     where not exists (
       select from zip_scores s join zips z using (zip)
       where s.zip = requested.zip and vertical = $2 and score is not null)
     order by zip`,
    [zips, vertical],
  );
  return rows.map((row) => row.zip);
}
