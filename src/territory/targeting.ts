/** ZIP codes ranked by an organization's weights and filtered by demographics. */
import { z } from 'zod';
import type { Queryable } from '../db/database.ts';
import { recordSeenZips, type Viewer } from '../metering/figures.ts';
import { pageOf, rowsToRead, startAfter, type PageRequest } from '../paging.ts';
import { nationalSignals, type NationalSignals } from '../scoring/national-signals.ts';
import { scoreInputs } from '../scoring/score.ts';
import { filterByDemographics, type DemographicFilters } from './demographic-filters.ts';
import { inputsOf, readProfile, type Weights } from './targeting-profile.ts';
import { zipFacts, type ZipFacts } from './zip-facts.ts';

export interface TargetingQuery {
  /** Slug */
  vertical: string;
  /** ZIP codes to search */
  zips: readonly string[];
  filters?: DemographicFilters | undefined;
  /** Minimum score by the organization's weights */
  minScore?: number | undefined;
}

export interface TargetedZip extends Omit<ZipFacts, 'score'> {
  /** Rank among all results; 1 is best */
  rank: number;
  /** Score by the organization's weights: 0..100 among the ZIP codes of the country */
  score: number;
  /** Score by the public weights */
  publicScore: number | null;
}

export interface Targeting {
  rows: TargetedZip[];
  nextCursor: string | null;
  /** Number of results on all pages */
  total: number;
  /** ZIP codes that the filters exclude */
  filteredOut: number;
  /** ZIP codes that pass the filters but lack data for a score */
  withoutScore: number;
  /** Whether the organization has custom weights for the vertical */
  ownWeights: boolean;
  vintage: string;
}

/**
 * @param db the process's database: the national signals are cached with it
 * @throws ServiceError 404 for an unknown vertical; 503 before demographics are imported; 402 as
 *   `recordSeenZips`
 */
export async function queryTargeting(
  db: Queryable,
  viewer: Viewer,
  { vertical, zips, filters = {}, minScore = 0 }: TargetingQuery,
  page: PageRequest,
): Promise<Targeting> {
  const { tenant } = viewer;
  const after = startAfter(page, z.tuple([z.number(), z.string()]));
  const profile = await readProfile(tenant, vertical);
  const signals = await nationalSignals(db);
  const filtered = await filterByDemographics(tenant.common, zips, filters);
  const scored = rankBy(profile.weights, signals, filtered);
  // A minimum score cuts off only the end of the ranking, so ranks stay the same.
  const found = scored.filter((zip) => zip.score >= minScore);
  const onPage = after
    ? found.filter(
        ({ zip, percentile }) =>
          percentile < after[0] || (percentile === after[0] && zip > after[1]),
      )
    : found;
  const { rows, nextCursor } = pageOf(onPage.slice(0, rowsToRead(page)), page, (zip) => [
    zip.percentile,
    zip.zip,
  ]);
  const listed = rows.map(({ zip }) => zip);
  await recordSeenZips(viewer, listed, { among: zips });
  const facts = await zipFacts(tenant.common, listed, profile.vertical);
  const factsOf = new Map(facts.map((row) => [row.zip, row]));
  return {
    rows: rows.map(({ zip, score, rank }) => {
      const { score: publicScore, ...rest } = factsOf.get(zip)!;
      return { ...rest, score, publicScore, rank };
    }),
    nextCursor,
    total: found.length,
    filteredOut: zips.length - filtered.length,
    withoutScore: filtered.length - scored.length,
    ownWeights: profile.own,
    vintage: signals.vintage,
  };
}

export interface WeighedZip {
  zip: string;
  /** 0..100 among the ZIP codes of the country */
  score: number;
  /** The score before rounding, 0..1 */
  percentile: number;
  /** Among the given ZIP codes; 1 is best */
  rank: number;
}

/** Ranks ZIP codes by weights, best first, without those that lack data for a score. */
export function rankBy(
  weights: Weights,
  { rowOf, ranks }: Pick<NationalSignals, 'rowOf' | 'ranks'>,
  zips: readonly string[],
): WeighedZip[] {
  const { score, percentile } = scoreInputs(inputsOf(weights), ranks);
  const weighed: WeighedZip[] = [];
  for (const zip of zips) {
    const row = rowOf.get(zip);
    if (row === undefined || Number.isNaN(score[row])) continue;
    weighed.push({ zip, score: score[row]!, percentile: percentile[row]!, rank: 0 });
  }
  weighed.sort((a, b) => b.percentile - a.percentile || (a.zip < b.zip ? -1 : 1));
  weighed.forEach((zip, index) => (zip.rank = index + 1));
  return weighed;
}
