/** The public sample of a ranking: the best ZIP codes, never the whole list. */
import type { Complete, RankedZip } from '../../contract/resources.ts';
import type { PublicBestZips } from '../../contract/vertical-resources.ts';
import type { Queryable } from '../../db/database.ts';
import { metroBySlug } from '../metros.ts';
import { verticalBySlug } from '../../scoring/verticals.ts';
import { scoresSource } from './source.ts';

/** Maximum number of rows in a public table. */
export const PUBLIC_TABLE_ROWS = 10;

/**
 * Returns the best ZIP codes for a vertical, and whether the ranking has more. If `metroSlug` is null, the
 * ranking covers all launched metros together.
 */
export async function sampleRanking(
  db: Queryable,
  verticalSlug: string,
  metroSlug: string | null,
): Promise<Pick<Complete<typeof PublicBestZips>, 'zips' | 'sampled'>> {
  const rows = await db.query<Omit<Complete<typeof RankedZip>, 'rank'>>(
    `select zip as "zipCode", city, state, score
     from zips
     join metro_counties using (county_fips)
     join zip_scores using (zip)
     where vertical = $1 and ($2::text is null or metro_slug = $2) and score is not null
     order by percentile desc, zip
     limit $3`,
    [verticalSlug, metroSlug, PUBLIC_TABLE_ROWS + 1],
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
    sampleRanking(db, vertical.slug, metro.slug),
  ]);
  return { metroSlug: metro.slug, verticalSlug: vertical.slug, ...best, vintage };
}
