/** ZIPs ranked by an organisation's own weights, narrowed down by demographics. */
import { z } from 'zod';
import type { Tenant } from '../account/tenant.ts';
import type { Queryable } from '../db/database.ts';
import { pageOf, rowsToRead, startAfter, type PageRequest } from '../paging.ts';
import { nationalSignals, type NationalSignals } from '../scoring/national-signals.ts';
import { scoreInputs } from '../scoring/score.ts';
import { filterByDemographics, type DemographicFilters } from './demographic-filters.ts';
import { inputsOf, readProfile, type Weights } from './targeting-profile.ts';
import { zipFacts, type ZipFacts } from './zip-facts.ts';

export interface TargetingQuery {
  /** Slug */
  vertical: string;
  /** Where to look */
  zips: readonly string[];
  filters?: DemographicFilters | undefined;
  /** By the organisation's weights */
  minScore?: number | undefined;
}

export interface TargetedZip extends Omit<ZipFacts, 'score'> {
  /** Among all that the query finds, 1 the best */
  rank: number;
  /** By the organisation's weights, 0..100 among the ZIPs of the country */
  score: number;
  /** By the public weights */
  publicScore: number | null;
}

export interface Targeting {
  rows: TargetedZip[];
  nextCursor: string | null;
  /** ZIPs that the query finds, on all pages */
  total: number;
  /** ZIPs of the area that the filters drop */
  filteredOut: number;
  /** Of the others, those of which too little is known for a score */
  withoutScore: number;
  /** Whether the organisation has weights of its own for the vertical */
  ownWeights: boolean;
  vintage: string;
}

/**
 * @param db of the process: the national signals are kept with it
 * @throws ServiceError 404 for an unknown vertical, 503 before there are demographics
 */
export async function queryTargeting(
  db: Queryable,
  tenant: Tenant,
  { vertical, zips, filters = {}, minScore = 0 }: TargetingQuery,
  page: PageRequest,
): Promise<Targeting> {
  const after = startAfter(page, z.tuple([z.number(), z.string()]));
  const profile = await readProfile(tenant, vertical);
  const signals = await nationalSignals(db);
  const within = await filterByDemographics(tenant.common, zips, filters);
  const scored = rankBy(profile.weights, signals, within);
  // Those with the highest scores are first, so that these keep their ranks.
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
  const facts = await zipFacts(
    tenant.common,
    rows.map(({ zip }) => zip),
    profile.vertical,
  );
  const factsOf = new Map(facts.map((row) => [row.zip, row]));
  return {
    rows: rows.map(({ zip, score, rank }) => {
      const { score: publicScore, ...rest } = factsOf.get(zip)!;
      return { ...rest, score, publicScore, rank };
    }),
    nextCursor,
    total: found.length,
    filteredOut: zips.length - within.length,
    withoutScore: within.length - scored.length,
    ownWeights: profile.own,
    vintage: signals.vintage,
  };
}

export interface WeighedZip {
  zip: string;
  /** 0..100 among the ZIPs of the country */
  score: number;
  /** The score before rounding, 0..1 */
  percentile: number;
  /** Among those asked about, 1 the best */
  rank: number;
}

/** ZIPs by weights, best first; those of which too little is known are left out. */
export function rankBy(
  weights: Weights,
  { rowOf, ranks }: Pick<NationalSignals, 'rowOf' | 'ranks'>,
  zips: readonly string[],
): WeighedZip[] {
  const { score, percentile } = scoreInputs(inputsOf(weights), ranks);
  return zips
    .flatMap((zip) => {
      const row = rowOf.get(zip);
      if (row === undefined || Number.isNaN(score[row])) return [];
      return { zip, score: score[row]!, percentile: percentile[row]! };
    })
    .sort((a, b) => b.percentile - a.percentile || (a.zip < b.zip ? -1 : 1))
    .map((zip, index) => ({ ...zip, rank: index + 1 }));
}
