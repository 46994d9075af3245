/** Statistics of the scores in launched metros. */
import type { z } from 'zod';
import type { StudyFigures } from '../../../base/contract/vertical-resources.ts';
import type { Queryable } from '../../../base/db/database.ts';

/** Minimum score of high demand: the lower bound of the highest score class. */
const HIGH_DEMAND = 80;

export type ScoreFigures = z.output<typeof StudyFigures>;

/**
 * Returns a function that returns the figures of a vertical in a launched metro or, without a metro, in all
 * of them together.
 */
export async function scoreFigures(db: Queryable, verticalSlugs: readonly string[]) {
  const rows = await db.query<ScoreFigures & { vertical: string; metro: string | null }>(
    `select vertical, metro_slug as metro, count(*) as "zipCount",
       count(score) as "scoredZipCount", round(avg(score), 1) as "averageScore",
       percentile_cont(0.5) within group (order by score) as "medianScore",
       count(*) filter (where score >= ${HIGH_DEMAND}) as "highDemandZipCount"
     from zips
     join metro_counties using (county_fips)
     cross join unnest($1::text[]) as vertical
     left join zip_scores using (zip, vertical)
     group by grouping sets ((vertical, metro_slug), (vertical))`,
    [verticalSlugs],
  );
  const figures = new Map(
    rows.map(({ vertical, metro, ...row }) => [keyOf(vertical, metro), row] as const),
  );
  return (vertical: string, metro: string | null): ScoreFigures =>
    figures.get(keyOf(vertical, metro)) ?? NO_ZIPS;
}

const keyOf = (vertical: string, metro: string | null) => `${vertical} ${metro ?? ''}`;

/** Figures of a metro without imported ZIP codes. */
const NO_ZIPS: ScoreFigures = {
  zipCount: 0,
  scoredZipCount: 0,
  averageScore: null,
  medianScore: null,
  highDemandZipCount: 0,
};
