/** The public view of demand for a vertical in a metro. */
import type { Complete } from '../../../base/contract/resources.ts';
import type { PublicMetroVertical } from '../../../base/contract/vertical-resources.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { metroBySlug } from '../metros.ts';
import { verticalBySlug } from '../../scoring/verticals.ts';
import { areaValues, IN_AREA, sampleRanking, type LaunchedArea } from './ranking.ts';
import { scoresSource } from './source.ts';

/** @throws ServiceError 404 for a metro or vertical that isn't launched; 503 before scores exist */
export async function publicMetroVertical(
  db: Queryable,
  metroSlug: string,
  verticalSlug: string,
): Promise<Complete<typeof PublicMetroVertical>> {
  const metro = metroBySlug(metroSlug);
  const vertical = verticalBySlug(verticalSlug);
  const [{ vintage }, distribution, best] = await Promise.all([
    scoresSource(db),
    scoreDistribution(db, vertical.slug, { metroSlug: metro.slug }),
    sampleRanking(db, vertical.slug, { metroSlug: metro.slug }),
  ]);
  return {
    metroSlug: metro.slug,
    metroLabel: metro.label,
    verticalSlug: vertical.slug,
    verticalLabel: vertical.label,
    ...distribution,
    topZips: best.zips,
    sampled: best.sampled,
    vintage,
  };
}

const BINS = 10;

/** The scores of an area's ZIP codes: their number, average, and distribution. */
export async function scoreDistribution(db: Queryable, verticalSlug: string, area: LaunchedArea) {
  // Null scores get a null bin, because least() would ignore nulls and put them in the best bin.
  const rows = await db.query<{ bin: number | null; count: number; total: number | null }>(
    `select case score when 100 then ${BINS - 1} else score / 10 end as bin, count(*) as count, sum(score) as total
     from zips
     join metro_counties using (county_fips)
     left join zip_scores s on s.zip = zips.zip and vertical = $3
     where ${IN_AREA}
     group by bin`,
    [...areaValues(area), verticalSlug],
  );
  const scored = rows.filter(({ bin }) => bin !== null);
  const scoredZipCount = sum(scored.map(({ count }) => count));
  const average = sum(scored.map(({ total }) => total!)) / scoredZipCount;
  return {
    zipCount: sum(rows.map(({ count }) => count)),
    scoredZipCount,
    averageScore: scoredZipCount === 0 ? null : Math.round(10 * average) / 10,
    scoreDistribution: Array.from({ length: BINS }, (_, bin) => ({
      from: 10 * bin,
      to: bin === BINS - 1 ? 100 : 10 * bin + 9,
      count: scored.find((row) => row.bin === bin)?.count ?? 0,
    })),
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
