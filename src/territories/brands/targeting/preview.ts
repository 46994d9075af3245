/** Compares the ranking by proposed weights with the current ranking. */
import type { Queryable } from '../../../base/db/database.ts';
import { letOthersRun } from '../../../base/workers/let-others-run.ts';
import { recordSeenZips } from '../../../people/metering/figures.ts';
import { nationalSignals } from '../../../data/scoring/national-signals.ts';
import { isDataField } from '../../own-data/data-fields.ts';
import { SIGNALS, type OwnSignal, type SignalId } from '../../../data/scoring/signals.ts';
import { bestOf, rankBy, rankOf } from './targeting.ts';
import { withOwnData, type DataViewer } from './own-ranks.ts';
import { validateWeights, readProfile, type OwnWeights, type Weights } from './profile.ts';
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
 * Scores the country twice.
 * @param db the process's database, which caches national signals
 * @param weights weights to check with `validateWeights`
 * @throws ServiceError 404 for an unknown vertical; 400 for invalid weights; 503 before
 *   demographics are imported; 402 as `recordSeenZips`; 400 as `readDataFields`
 */
export async function previewTargeting(
  db: Queryable,
  viewer: DataViewer,
  { vertical, zips, ...proposed }: { vertical: string; zips: readonly string[] } & OwnWeights,
  limit: number,
): Promise<TargetingPreview> {
  const { tenant } = viewer;
  const [profile, signals] = await Promise.all([
    readProfile(tenant, vertical),
    nationalSignals(db),
  ]);
  const weights = validateWeights(proposed.weights);
  // Other requests run between these steps.
  await letOthersRun();
  const rankedBy = async (own: OwnWeights) =>
    rankBy(own.weights, { ...signals, ...(await withOwnData(viewer, signals, own)) }, zips);
  const ranked = await rankedBy({ ...proposed, weights });
  const best = bestOf(ranked, limit);
  await letOthersRun();
  const now = await rankedBy(profile);
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
        zip,
        city,
        state,
        rank: index + 1,
        score: ranked.score[row]!,
        rankNow: isScoredNow ? rankOf(row, now) : null,
        scoreNow: isScoredNow ? now.score[row]! : null,
      };
    }),
    total: ranked.rows.length,
    vintage: signals.vintage,
  };
}

/** Returns weights as percentages of their sum, to one decimal. A signal without a weight has 0. */
export function percentagesOf(weights: Weights): Percentages {
  const sum = Object.values(weights).reduce((total, weight) => total + Math.abs(weight), 0);
  const signals = [...Object.keys(SIGNALS), ...Object.keys(weights).filter(isDataField)];
  return Object.fromEntries(
    signals.map((signal) => {
      const weight = weights[signal as SignalId] ?? 0;
      return [signal, Math.round((1000 * weight) / sum) / 10];
    }),
  ) as Percentages;
}

/** Weight of each signal as a percentage of their sum: negative if lower values score higher, 0 if unused */
export type Percentages = Readonly<Record<SignalId | OwnSignal, number>>;

/** Reverses `percentagesOf`, without zeros. @throws ServiceError 400 for invalid weights */
export function weightsOf(percentages: Partial<Percentages>): Weights {
  const weighted = (Object.entries(percentages) as [string, number][]).filter(
    ([, percent]) => percent !== 0,
  );
  return validateWeights(
    Object.fromEntries(weighted.map(([signal, part]) => [signal, part / 100])),
  );
}
