/** The public view of a vertical: the signals of its score and the demand in each metro. */
import type { Complete } from '../../../base/contract/resources.ts';
import type { PublicVerticalSummary } from '../../../base/contract/vertical-resources.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { launchedMetros } from '../metros.ts';
import { verticalBySlug } from '../../scoring/verticals.ts';
import { methodologyOf, signalsOf } from './methodology.ts';
import { sampleRanking } from './ranking.ts';
import { scoreFigures } from './score-figures.ts';
import { scoresSource } from './source.ts';

/** @throws ServiceError 404 for a vertical that isn't launched; 503 before scores are imported */
export async function publicVerticalSummary(
  db: Queryable,
  verticalSlug: string,
): Promise<Complete<typeof PublicVerticalSummary>> {
  const vertical = verticalBySlug(verticalSlug);
  const [{ vintage }, figuresOf, best] = await Promise.all([
    scoresSource(db),
    scoreFigures(db, [vertical.slug]),
    sampleRanking(db, vertical.slug, {}),
  ]);
  return {
    verticalSlug: vertical.slug,
    verticalLabel: vertical.label,
    metros: launchedMetros().map((metro) => {
      const { zipCount, scoredZipCount, averageScore } = figuresOf(vertical.slug, metro.slug);
      return {
        metroSlug: metro.slug,
        metroLabel: metro.label,
        zipCount,
        scoredZipCount,
        averageScore,
      };
    }),
    topZips: best.zips,
    methodology: methodologyOf(vertical),
    signals: signalsOf(vertical),
    vintage,
  };
}
