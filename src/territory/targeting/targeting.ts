/** Ranks ZIP codes by an organization's weights, and filters them by demographics and own data. */
import { z } from 'zod';
import type { Queryable } from '../../db/database.ts';
import { letOthersRun } from '../../contract/let-others-run.ts';
import { recordSeenZips } from '../../metering/figures.ts';
import { pageOf, rowsToRead, startAfter, type PageRequest } from '../../contract/paging.ts';
import {
  isDataField,
  readDataFields,
  type DataField,
  type DataValues,
} from '../../own-data/data-fields.ts';
import { hundredths } from '../../own-data/data-sets.ts';
import {
  nationalSignals,
  ownerHouseholdsOf,
  type NationalSignals,
} from '../../scoring/national-signals.ts';
import { scoreInputs, type VerticalScores } from '../../scoring/score.ts';
import {
  filterByDemographics,
  isWithin,
  readFigures,
  type FilterField,
  type Range,
} from './demographic-filters.ts';
import { withOwnData, type DataViewer } from './own-ranks.ts';
import { inputsOf, readProfile, type Weights } from './profile.ts';
import { zipFacts, type ZipFacts } from '../zip-facts.ts';

export interface TargetingQuery {
  /** Slug */
  vertical: string;
  /** ZIP codes to search */
  zips: readonly string[];
  filters?: Partial<Record<TargetingField, Range>> | undefined;
  /** Minimum score by the organization's weights */
  minScore?: number | undefined;
  /** Figures to return, in addition to those of the filters */
  fields?: readonly TargetingField[] | undefined;
}

/** A census figure, or a value from a data set */
export type TargetingField = FilterField | DataField;

export interface TargetedZip extends Omit<ZipFacts, 'score'> {
  /** Rank among all results; 1 is best */
  rank: number;
  /** Score by the organization's weights: 0..100 among the ZIP codes of the country */
  score: number;
  /** Score by the public weights */
  publicScore: number | null;
  /** Figures of the filters and requested figures; null if unknown */
  figures: Record<string, number | null>;
}

export interface Targeting {
  rows: TargetedZip[];
  nextCursor: string | null;
  /** Number of results on all pages */
  total: number;
  /** Number of ZIP codes that the filters exclude */
  filteredOut: number;
  /** Number of ZIP codes that pass the filters but lack data for a score */
  withoutScore: number;
  /** Whether the organization has custom weights for the vertical */
  ownWeights: boolean;
  /** The data sets among the figures */
  data: readonly DataValues[];
  vintage: string;
}

/**
 * Returns a page of ranked ZIP codes.
 * @param db the process's database, which caches national signals
 * @throws ServiceError 404 for an unknown vertical; 503 before demographics are imported; 402 as
 *   `recordSeenZips`; 400 as `readDataFields`
 */
export async function queryTargeting(
  db: Queryable,
  viewer: DataViewer,
  { vertical, zips, filters = {}, minScore = 0, fields = [] }: TargetingQuery,
  page: PageRequest,
): Promise<Targeting> {
  const { tenant } = viewer;
  const after = startAfter(page, z.tuple([z.number(), z.string()]));
  const profile = await readProfile(tenant, vertical);
  const signals = await nationalSignals(db);
  const ownersOf = ownerHouseholdsOf(signals);
  const shown = [...new Set([...(Object.keys(filters) as TargetingField[]), ...fields])];
  const census = shown.filter((field): field is FilterField => !isDataField(field));
  const data = await readDataFields(viewer, shown.filter(isDataField));
  const ranges = data.flatMap(({ field, valueAt }) => {
    const range = filters[field];
    return range ? [{ valueAt, range }] : [];
  });
  const filtered = (await filterByDemographics(tenant.common, zips, pick(filters, census))).filter(
    (zip) => ranges.every(({ valueAt, range }) => isWithin(valueAt(zip, ownersOf(zip)), range)),
  );
  const { ranks } = await withOwnData(viewer, signals, profile);
  await letOthersRun();
  const ranked = rankBy(profile.weights, { ...signals, ranks }, filtered);
  // A minimum score cuts off only the end of the ranking, so ranks stay the same.
  const found = ranked.rows.filter((row) => ranked.score[row]! >= minScore);
  const { zips: national } = signals;
  const onPage = after
    ? found.filter((row) => {
        const percentile = ranked.percentile[row]!;
        return percentile < after[0] || (percentile === after[0] && national[row]! > after[1]);
      })
    : found;
  const best = bestOf({ ...ranked, rows: onPage }, rowsToRead(page));
  const firstRank = best.length === 0 ? 0 : rankOf(best[0]!, ranked);
  const weighed = best.map((row, index) => ({
    zip: national[row]!,
    score: ranked.score[row]!,
    percentile: ranked.percentile[row]!,
    rank: firstRank + index,
  }));
  const { rows, nextCursor } = pageOf(weighed, page, (zip) => [zip.percentile, zip.zip]);
  const listed = rows.map(({ zip }) => zip);
  await recordSeenZips(viewer, listed, { among: zips });
  const [facts, figures] = await Promise.all([
    zipFacts(tenant.common, listed, profile.vertical),
    readFigures(tenant.common, listed, census),
  ]);
  const factsOf = new Map(facts.map((row) => [row.zip, row]));
  return {
    rows: rows.map(({ zip, score, rank }) => {
      const { score: publicScore, ...rest } = factsOf.get(zip)!;
      const values = data.map(({ field, valueAt }) => [
        field,
        rounded(valueAt(zip, ownersOf(zip))),
      ]);
      const all = { ...figures(zip), ...Object.fromEntries(values) };
      return { ...rest, score, publicScore, rank, figures: pick(all, shown) };
    }),
    nextCursor,
    total: found.length,
    filteredOut: zips.length - filtered.length,
    withoutScore: filtered.length - ranked.rows.length,
    ownWeights: profile.own,
    data,
    vintage: signals.vintage,
  };
}

const rounded = (value: number | null) => value && hundredths(value);

/** Returns the named fields that a record has, in the order of the names. */
const pick = <Value>(record: Readonly<Record<string, Value>>, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]!]));

/** ZIP codes by their rows in `NationalSignals`, with the scores of the whole country */
export interface Ranked extends Pick<VerticalScores, 'score' | 'percentile'> {
  /** Rows with a score, in any order */
  rows: Int32Array;
}

/** Scores ZIP codes by weights. ZIP codes that lack data for a score are missing. */
export function rankBy(
  weights: Weights,
  { rowOf, ranks }: Pick<NationalSignals, 'rowOf' | 'ranks'>,
  zips: readonly string[],
): Ranked {
  const { score, percentile } = scoreInputs(inputsOf(weights), ranks);
  const rows = new Int32Array(zips.length);
  let count = 0;
  for (const zip of zips) {
    const row = rowOf.get(zip);
    if (row !== undefined && score[row]! >= 0) rows[count++] = row;
  }
  return { score, percentile, rows: rows.subarray(0, count) };
}

/** Returns whether row `a` ranks before row `b`. Rows with equal scores rank by ZIP code, which is their order. */
const isBetter = (a: number, b: number, { percentile }: Ranked) =>
  percentile[a]! > percentile[b]! || (percentile[a] === percentile[b] && a < b);

/** Returns the best rows, best first. Sorting all rows would take ten times as long. */
export function bestOf(ranked: Ranked, limit: number): number[] {
  const best: number[] = [];
  for (const row of ranked.rows) {
    if (best.length === limit && !isBetter(row, best.at(-1)!, ranked)) continue;
    best.splice(best.findLastIndex((other) => isBetter(other, row, ranked)) + 1, 0, row);
    if (best.length > limit) best.pop();
  }
  return best;
}

/** Returns the rank of a row among all; 1 is best. */
export const rankOf = (row: number, ranked: Ranked): number =>
  1 + ranked.rows.reduce((count, other) => count + Number(isBetter(other, row, ranked)), 0);
