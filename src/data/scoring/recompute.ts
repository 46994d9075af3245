/** Recomputes all scores from the demographics and replaces them at once. */
import type { Database, Queryable } from '../../base/db/database.ts';
import {
  readDatasets,
  readTimedDatasets,
  recordDataset,
  type DatasetFacts,
  type DatasetName,
} from '../../base/db/datasets.ts';
import { withStaging } from '../../base/db/staging.ts';
import { ServiceError } from '../../errors.ts';
import { readDemographics, type StoredDemographics } from '../ingest/demographics-store.ts';
import type { Progress } from '../ingest/progress.ts';
import { scoreZips, type VerticalScores } from './score.ts';
import { VERTICALS } from './verticals.ts';

export interface ScoringReport {
  vintage: string;
  zips: number;
  verticals: { slug: string; label: string; scored: number; meanCoverage: number }[];
  seconds: number;
  /** Time for the formulas, without reading and storing */
  computeSeconds: number;
}

/**
 * Recomputes the scores of all verticals. Readers see the old scores until all new ones are stored.
 * @throws ServiceError 404 if there are no demographics
 */
export async function recomputeScores(db: Database, progress: Progress): Promise<ScoringReport> {
  const startedAt = performance.now();
  progress('Reading demographics', 0, 0);
  const facts = (await readDatasets(db)).get('demographics');
  const zips = await readDemographics(db);
  if (!facts || zips.length === 0) {
    throw new ServiceError(
      404,
      'not_found',
      'There are no demographics to score. Import them with: territory-admin import acs FILE...',
    );
  }
  const report = await storeScores(db, zips, facts, progress);
  return { ...report, seconds: (performance.now() - startedAt) / 1000 };
}

/** Recomputes scores if they are older than the figures, as after an interrupted import. */
export async function recomputeOldScores(db: Database, progress: Progress): Promise<void> {
  const datasets = await readTimedDatasets(db);
  const importedAt = (name: DatasetName) => BigInt(datasets.get(name)?.micros ?? 0);
  if (importedAt('demographics') > importedAt('scores')) await recomputeScores(db, progress);
}

/**
 * Computes and stores the scores of all verticals.
 * @param zips all stored demographics, in the order of their ZIP codes
 * @param facts facts of the demographics
 */
export async function storeScores(
  db: Database,
  zips: readonly StoredDemographics[],
  facts: DatasetFacts,
  progress: Progress,
): Promise<ScoringReport> {
  const startedAt = performance.now();
  progress('Scoring', 0, 0);
  const computeStartedAt = performance.now();
  const scores = scoreZips(zips, asOfYear(zips.map(({ tableYears }) => tableYears)));
  const computeSeconds = (performance.now() - computeStartedAt) / 1000;

  await withStaging(db, ['zip_scores'], async (staging) => {
    for (let from = 0; from < zips.length; from += BATCH_ZIPS) {
      progress('Storing scores', from, zips.length);
      const to = Math.min(from + BATCH_ZIPS, zips.length);
      await insertScores(db, staging.table('zip_scores'), zips, scores, from, to);
    }
    progress('Storing scores', zips.length, zips.length);
    await staging.index('zip_scores');
    await db.transaction(async (tx) => {
      await staging.replaceLive(tx, 'zip_scores');
      await recordDataset(tx, 'scores', facts);
    });
  });
  await db.query('analyze zip_scores');
  return {
    vintage: facts.vintage,
    zips: zips.length,
    verticals: VERTICALS.map(({ slug, label }) => ({ slug, label, ...summarize(scores[slug]) })),
    seconds: (performance.now() - startedAt) / 1000,
    computeSeconds,
  };
}

const BATCH_ZIPS = 3_000;

/** Inserts rows in the order of the primary key, so that those of a ZIP code are stored together. */
async function insertScores(
  db: Queryable,
  table: string,
  zips: readonly StoredDemographics[],
  scores: Record<string, VerticalScores>,
  from: number,
  to: number,
): Promise<void> {
  const columns = {
    zip: [] as string[],
    vertical: [] as string[],
    score: [] as (string | number)[],
    percentile: [] as (string | number)[],
    coverage: [] as number[],
  };
  for (let row = from; row < to; row++) {
    for (const { slug } of VERTICALS) {
      const { score, percentile, coverage } = scores[slug]!;
      columns.zip.push(zips[row]!.zip);
      columns.vertical.push(slug);
      columns.score.push(orNull(score[row]!));
      columns.percentile.push(orNull(percentile[row]!));
      columns.coverage.push(coverage[row]!);
    }
  }
  await db.query(
    `insert into ${table} (zip, vertical, score, percentile, coverage)
     select * from unnest($1::text[], $2::text[], $3::smallint[], $4::float8[], $5::real[])`,
    // As text, because the driver takes ten times as long for arrays. No value needs quotes.
    Object.values(columns).map((values) => `{${values.join()}}`),
  );
}

const orNull = (value: number) => (Number.isNaN(value) ? 'NULL' : value);

/** Returns the last year of the table with construction years, from which home ages count. */
export function asOfYear(tableYears: Iterable<StoredDemographics['tableYears']>): number {
  let built = 0;
  let latest = 0;
  for (const years of tableYears) {
    built = Math.max(built, years['B25034'] ?? 0);
    for (const year of Object.values(years)) latest = Math.max(latest, year);
  }
  return built || latest;
}

function summarize({ score, coverage }: VerticalScores) {
  let scored = 0;
  let covered = 0;
  score.forEach((value, i) => {
    if (Number.isNaN(value)) return;
    scored++;
    covered += coverage[i]!;
  });
  return { scored, meanCoverage: scored === 0 ? 0 : covered / scored };
}
