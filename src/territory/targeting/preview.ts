/** Compares the ranking by proposed weights with the current ranking. */
import type { Queryable } from '../../db/database.ts';
import { letOthersRun } from '../../contract/let-others-run.ts';
import { recordSeenZips, type Viewer } from '../../metering/figures.ts';
import { nationalSignals } from '../../scoring/national-signals.ts';
import { SIGNALS, type SignalId } from '../../scoring/signals.ts';
import { bestOf, rankBy, rankOf } from './targeting.ts';
import { validateWeights, readProfile, type Weights } from './profile.ts';
import { zipFacts } from '../zip-facts.ts';

export interface PreviewedZip {
  zip: string;
  city: string | null;
  /** USPS code */
  state: string | null;
  rank: number;
  /** Rank by the current weights; null if they give no score */
  rankNow: number | null;
  score: number;
  scoreNow: number | null;
}

export interface TargetingPreview {
  /** The first `limit` ZIP codes */
  rows: PreviewedZip[];
  /** Number of ZIP codes with a score */
  total: number;
  vintage: string;
}

/**
 * Scores the country twice, each in 5 ms.
 * @param db the process's database, which caches national signals
 * @param weights weights to check with `validateWeights`
 * @throws ServiceError 404 for an unknown vertical; 400 for invalid weights; 503 before
 *   demographics are imported; 402 as `recordSeenZips`
 */
export async function previewTargeting(
  db: Queryable,
  viewer: Viewer,
  { vertical, zips, weights }: { vertical: string; zips: readonly string[]; weights: Weights },
  limit: number,
): Promise<TargetingPreview> {
  const { tenant } = viewer;
  const [profile, signals] = await Promise.all([
    readProfile(tenant, vertical),
    nationalSignals(db),
  ]);
  const checked = validateWeights(weights);
  // Other requests run between these steps.
  await letOthersRun();
  const ranked = rankBy(checked, signals, zips);
  const best = bestOf(ranked, limit);
  await letOthersRun();
  const now = rankBy(profile.weights, signals, zips);
  const listed = best.map((row) => signals.zips[row]!);
  await recordSeenZips(viewer, listed, { among: zips });
  const facts = await zipFacts(tenant.common, listed, null);
  const factsOf = new Map(facts.map((row) => [row.zip, row]));
  return {
    rows: best.map((row, index) => {
      const { zip, city, state } = factsOf.get(signals.zips[row]!)!;
      // The proposed weights may need signals that are unknown for this ZIP code.
      const isScoredNow = now.score[row]! >= 0;
      return {
        ...{ zip, city, state, rank: index + 1, score: ranked.score[row]! },
        rankNow: isScoredNow ? rankOf(row, now) : null,
        scoreNow: isScoredNow ? now.score[row]! : null,
      };
    }),
    total: ranked.rows.length,
    vintage: signals.vintage,
  };
}

/** Returns weights as percentages of their sum, to one decimal. A signal without a weight has 0. */
export function percentagesOf(weights: Weights): Record<SignalId, number> {
  const sum = Object.values(weights).reduce((total, weight) => total + Math.abs(weight), 0);
  return Object.fromEntries(
    Object.keys(SIGNALS).map((signal) => {
      const weight = weights[signal as SignalId] ?? 0;
      return [signal, Math.round((1000 * weight) / sum) / 10];
    }),
  ) as Record<SignalId, number>;
}

/** Reverses `percentagesOf`, without zeros. @throws ServiceError 400 for invalid weights */
export function weightsOf(percentages: Readonly<Partial<Record<SignalId, number>>>): Weights {
  const weighted = Object.entries(percentages).filter(([, percent]) => percent !== 0);
  return validateWeights(
    Object.fromEntries(weighted.map(([signal, part]) => [signal, part / 100])),
  );
}
