/** Scores ZIP codes in a vertical by the organization's weights, or by the public weights. */
import type { Queryable } from '../../../base/db/database.ts';
import { scoresOfZips } from '../../../data/market/zips.ts';
import { recordSeenZips } from '../../../people/metering/figures.ts';
import { nationalSignals } from '../../../data/scoring/national-signals.ts';
import { scoreInputs } from '../../../data/scoring/score.ts';
import { withOwnData, type DataViewer } from './own-ranks.ts';
import { inputsOf, readProfile } from './profile.ts';

export interface OwnScores {
  /** Scores, 0..100, by ZIP code. ZIP codes without a score are missing. */
  scores: Map<string, number>;
  /** Whether custom weights were used */
  own: boolean;
}

/**
 * @param db the process's database, which caches national signals
 * @param vertical slug
 * @throws ServiceError 404 for an unknown vertical; 503 for custom weights before demographics are
 *   imported; 402 as `recordSeenZips`
 */
export async function verticalScores(
  db: Queryable,
  viewer: DataViewer,
  vertical: string,
  zips: readonly string[],
): Promise<OwnScores> {
  const { tenant } = viewer;
  await recordSeenZips(viewer, zips);
  const profile = await readProfile(tenant, vertical);
  const { own, weights } = profile;
  if (!own) return { own, scores: await scoresOfZips(tenant.common, zips, vertical) };
  const signals = await nationalSignals(db);
  const { rowOf } = signals;
  const { ranks } = await withOwnData(viewer, signals, profile);
  const { score } = scoreInputs(inputsOf(weights), ranks);
  const known = zips.flatMap((zip): [string, number][] => {
    const value = score[rowOf.get(zip) ?? -1];
    return value === undefined || Number.isNaN(value) ? [] : [[zip, value]];
  });
  return { own, scores: new Map(known) };
}
