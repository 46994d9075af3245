/** Compares the ranking by proposed weights with the ranking by the current ones. */
import type { Queryable } from '../db/database.ts';
import { letOthersRun } from '../let-others-run.ts';
import { recordSeenZips, type Viewer } from '../metering/figures.ts';
import { nationalSignals } from '../scoring/national-signals.ts';
import { SIGNALS, type SignalId } from '../scoring/signals.ts';
import { rankBy } from './targeting.ts';
import { validateWeights, readProfile, type Weights } from './targeting-profile.ts';
import { zipFacts } from './zip-facts.ts';

export interface PreviewedZip {
  zip: string;
  city: string | null;
  /** USPS code */
  state: string | null;
  rank: number;
  /** By the current weights; null if they give no score */
  rankNow: number | null;
  score: number;
  scoreNow: number | null;
}

export interface TargetingPreview {
  /** The first `limit` ZIP codes */
  rows: PreviewedZip[];
  /** ZIP codes with a score */
  total: number;
  vintage: string;
}

/**
 * Scores the country twice, which takes 20 ms each.
 * @param db the process's database: the national signals are cached with it
 * @param weights as for `validateWeights`
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
  const ranked = rankBy(validateWeights(weights), signals, zips);
  // Other requests run between the two.
  await letOthersRun();
  const now = new Map(rankBy(profile.weights, signals, zips).map((row) => [row.zip, row]));
  const first = ranked.slice(0, limit);
  const listed = first.map(({ zip }) => zip);
  await recordSeenZips(viewer, listed, { among: zips });
  const facts = await zipFacts(tenant.common, listed, null);
  const factsOf = new Map(facts.map((row) => [row.zip, row]));
  return {
    rows: first.map(({ zip, rank, score }) => {
      const { city, state } = factsOf.get(zip)!;
      // The proposed weights may need signals that are unknown for this ZIP code.
      const before = now.get(zip);
      return {
        ...{ zip, city, state, rank, score },
        rankNow: before?.rank ?? null,
        scoreNow: before?.score ?? null,
      };
    }),
    total: ranked.length,
    vintage: signals.vintage,
  };
}

/** Returns weights in percent of their sum, to one decimal; 0 for a signal without a weight. */
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
