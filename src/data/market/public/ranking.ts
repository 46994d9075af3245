/** The public sample of a ranking: the best ZIP codes, never the whole list. */
import type { Complete, RankedZip } from '../../../base/contract/resources.ts';
import type { PublicBestZips } from '../../../base/contract/vertical-resources.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { metroBySlug } from '../metros.ts';
import { verticalBySlug } from '../../scoring/verticals.ts';
import { scoresSource } from './source.ts';

/** Maximum number of rows in a public table. */
export const PUBLIC_TABLE_ROWS = 10;

/** Some of the ZIP codes in launched metros. Default: all */
export interface LaunchedArea {
  metroSlug?: string;
  zips?: readonly string[];
}

/** SQL on `zips` and `metro_counties`, whose values are `$1` and `$2`: see `areaValues` */
export const IN_AREA =
  '($1::text is null or metro_slug = $1) and ($2::text[] is null or zips.zip = any($2))';
export const areaValues = ({ metroSlug, zips }: LaunchedArea) => [metroSlug ?? null, zips ?? null];

/** Returns the best ZIP codes of an area for a vertical, and whether the ranking has more. */
export async function sampleRanking(
  db: Queryable,
  verticalSlug: string,
  area: LaunchedArea,
): Promise<Pick<Complete<typeof PublicBestZips>, 'zips' | 'sampled'>> {
  const rows = await db.query<Omit<Complete<typeof RankedZip>, 'rank'>>(
    `select zip as "zipCode", city, state, score
     from zips
     join metro_counties using (county_fips)
     join zip_scores using (zip)
     where ${IN_AREA} and vertical = $3 and score is not null
     order by percentile desc, zip
     limit $4`,
    [...areaValues(area), verticalSlug, PUBLIC_TABLE_ROWS + 1],
  );
  return {
    zips: rows.slice(0, PUBLIC_TABLE_ROWS).map((zip, index) => ({ ...zip, rank: index + 1 })),
    sampled: rows.length > PUBLIC_TABLE_ROWS,
  };
}

/** @throws ServiceError 404 for a metro or vertical that isn't launched; 503 before scores exist */
export async function publicBestZips(
  db: Queryable,
  metroSlug: string,
  verticalSlug: string,
): Promise<Complete<typeof PublicBestZips>> {
  const metro = metroBySlug(metroSlug);
  const vertical = verticalBySlug(verticalSlug);
  const [{ vintage }, best] = await Promise.all([
    scoresSource(db),
    sampleRanking(db, vertical.slug, { metroSlug: metro.slug }),
  ]);
  return { metroSlug: metro.slug, verticalSlug: vertical.slug, ...best, vintage };
}
