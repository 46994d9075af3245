/** Ranks ZIP codes by an organization's weights, and filters them by demographics and own data. */
import { z } from 'zod';
import type { Queryable } from '../../../base/db/database.ts';
import { letOthersRun } from '../../../base/workers/let-others-run.ts';
import { recordSeenZips } from '../../../people/metering/figures.ts';
import { pageOf, rowsToRead, startAfter, type PageRequest } from '../../../base/contract/paging.ts';
import {
  isDataField,
  readDataFields,
  type DataField,
  type DataValues,
} from '../../own-data/data-fields.ts';
import { hundredths } from '../../own-data/data-sets.ts';
import { isLocalShare, LOCAL_MILES } from '../../own-data/white-space.ts';
import { zipsNear } from '../zips-in-radius.ts';
import {
  nationalSignals,
  ownerHouseholdsOf,
  type NationalSignals,
} from '../../../data/scoring/national-signals.ts';
import { scoreInputs, type VerticalScores } from '../../../data/scoring/score.ts';
import {
  filterByDemographics,
  isWithin,
  readFigures,
  type FilterField,
  type Range,
} from './demographic-filters.ts';
import { withOwnData, type DataViewer } from './own-ranks.ts';
import { inputsOf, readProfile, type Weights } from './profile.ts';
import {
  isDistanceField,
  placeDistances,
  type DistanceField,
} from '../../own-data/place-distances.ts';
import type { Tenant } from '../../../people/account/tenant.ts';
import { zipFacts, type ZipFacts } from '../zip-facts.ts';

interface TargetingQuery {
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

/** A census figure, a value from a data set, or a distance from a place */
export type TargetingField = FilterField | DataField | DistanceField;

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

interface Targeting {
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
  /** Names of data sets whose rates are among the figures although their amounts are local: `isLocalShare` */
  localData: string[];
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
  const distances = await distanceValues(tenant, zips, shown.filter(isDistanceField));
  const census = shown.filter(
    (field): field is FilterField => !isDataField(field) && !isDistanceField(field),
  );
  const data = await readDataFields(viewer, shown.filter(isDataField));
  const own = [...data, ...distances];
  const ranges = own.flatMap(({ field, valueAt }) => {
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
      const values = own.map(({ field, valueAt }) => [field, rounded(valueAt(zip, ownersOf(zip)))]);
      const all = { ...figures(zip), ...Object.fromEntries(values) };
      return { ...rest, score, publicScore, rank, figures: pick(all, shown) };
    }),
    nextCursor,
    total: found.length,
    filteredOut: zips.length - filtered.length,
    withoutScore: filtered.length - ranked.rows.length,
    ownWeights: profile.own,
    data,
    localData: await localSets(tenant.common, data, zips),
    vintage: signals.vintage,
  };
}

/** A rate of 0 far from local amounts isn’t white space. */
async function localSets(
  db: Queryable,
  data: readonly DataValues[],
  zips: readonly string[],
): Promise<string[]> {
  const rates = data.filter(({ field }) => field.startsWith('rate:'));
  const names = await Promise.all(
    rates.map(async ({ set }) => {
      const sold = [...set.amounts].flatMap(([zip, amount]) => (amount > 0 ? [zip] : []));
      const near = await zipsNear(db, sold, LOCAL_MILES, zips);
      return sold.length > 0 && isLocalShare(near.size, zips.length) ? [set.name] : [];
    }),
  );
  return names.flat();
}

const rounded = (value: number | null) => value && hundredths(value);

/** Returns the named fields that a record has, in the order of the names. */
const pick = <Value>(record: Readonly<Record<string, Value>>, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]!]));

/** ZIP codes by their rows in `NationalSignals`, with the scores of the whole country */
interface Ranked extends Pick<VerticalScores, 'score' | 'percentile'> {
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

/** Distances in the form of `DataValues` */
async function distanceValues(
  tenant: Tenant,
  zips: readonly string[],
  fields: readonly DistanceField[],
): Promise<(Pick<DataValues, 'valueAt'> & { field: DistanceField })[]> {
  if (fields.length === 0) return [];
  const of = await placeDistances(tenant, zips);
  return fields.map((field) => ({ field, valueAt: (zip) => of(zip)[field] }));
}
